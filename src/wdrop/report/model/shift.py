"""How far the features of new rows lie from those of the training rows, as a table and a picture."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from wdrop.data.shift import FeatureShift
from wdrop.report.figures import DATA, MUTED, look
from wdrop.report.model.coverage import POOR
from wdrop.report.tables import Cell, Table

_MOST_SHOWN = 12
_LONGEST_NAME = 28


def shift_table(shifts: Sequence[FeatureShift]) -> Table:
    """A row for each feature, the furthest first."""
    rows: list[list[str | Cell]] = [
        [
            shift.title, Cell(shift.training_mean), Cell(shift.training_std), Cell(shift.new_mean), Cell(shift.moved),
            Cell(shift.distance), Cell(100 * shift.outside),
        ]
        for shift in _furthest_first(shifts)
    ]  # fmt: skip
    headings = ["feature", "training mean", "training std", "new mean", "moved by, stds", "KS distance", "outside, %"]
    note = "Outside: rows below the least or above the largest value of the training rows."
    return Table("New rows against training rows", headings, rows, note)


def shift_figure(shifts: Sequence[FeatureShift]) -> Figure:
    """How far the mean of each feature moved, the furthest at the top."""
    shown = _furthest_first(shifts)[:_MOST_SHOWN]
    with look():
        figure = Figure(figsize=(9.6, 0.3 * len(shown) + 1.0), layout="constrained")
        ax = figure.subplots()
        ax.axvline(0, color=MUTED, linewidth=0.8)
        for place, shift in enumerate(shown):
            colour = POOR if shift.is_shifted else DATA
            ax.plot([0, shift.moved], [place, place], color=colour, linewidth=2)
            ax.plot(shift.moved, place, "o", color=colour, markersize=6)
        ax.set_yticks(range(len(shown)), [_short(shift.title) for shift in shown])
        ax.set_ylim(len(shown) - 0.5, -0.5)
        limit = 1.1 * max(1.0, *(abs(shift.moved) for shift in shown))
        ax.set_xlim(-limit, limit)
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel("mean of the new rows, in training stds from the training mean")
    return figure


def _furthest_first(shifts: Sequence[FeatureShift]) -> list[FeatureShift]:
    return sorted(shifts, key=lambda shift: -abs(shift.moved))


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_NAME else f"{title[: _LONGEST_NAME - 2]}…"
