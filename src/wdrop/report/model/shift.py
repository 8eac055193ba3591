"""How far the features of new rows lie from those of the training rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import ks_2samp

from wdrop.report.figures import DATA, MUTED, look
from wdrop.report.model.forecasts import Array
from wdrop.report.tables import Cell, Table

_MOST_SHOWN = 12
_ACCIDENT = 0.01  # the chance of calling any feature shifted where none is
_MATERIAL = 0.1  # a smaller distance changes nobody's mind, however sure it is


@final
@dataclass(frozen=True)
class FeatureShift:
    """One feature in training and in new rows.

    ks          largest distance between both distribution functions, 0 to 1
    outside     share of the new rows below the least or above the largest training value
    is_shifted  whether that is more than chance, and enough to care
    """

    name: str
    training_mean: float
    training_std: float
    new_mean: float
    ks: float
    outside: float
    is_shifted: bool

    @property
    def shift(self) -> float:
        """How far the mean moved, in units of the training std; NaN where training was constant and it moved."""
        moved = self.new_mean - self.training_mean
        if self.training_std > 0:
            return moved / self.training_std
        return 0.0 if moved == 0 else float("nan")


def feature_shifts(training: Any, new: Any, names: Sequence[str]) -> list[FeatureShift]:
    """The shift of each feature, from the numbers of both tables: (m, f) and (n, f)."""
    before, after = np.asarray(training, dtype=np.float64), np.asarray(new, dtype=np.float64)
    if before.shape[1] != after.shape[1] or before.shape[1] != len(names):
        came = f"{before.shape[1]} in training, {after.shape[1]} in new rows"
        raise ValueError(f"expected {len(names)} features, got {came}")
    return [_shift(name, old, now, len(names)) for name, old, now in zip(names, before.T, after.T, strict=True)]


def _shift(name: str, old: Array, now: Array, n_features: int) -> FeatureShift:
    test = ks_2samp(old, now, method="asymp")
    distance, outside = float(test.statistic), float(((now < old.min()) | (now > old.max())).mean())
    is_shifted = distance > _MATERIAL and float(test.pvalue) < _ACCIDENT / n_features
    return FeatureShift(name, float(old.mean()), float(old.std()), float(now.mean()), distance, outside, is_shifted)


def shift_table(shifts: Sequence[FeatureShift]) -> Table:
    """A row for each feature, the furthest first."""
    rows: list[list[str | Cell]] = [
        [
            shift.name, Cell(shift.training_mean), Cell(shift.training_std), Cell(shift.new_mean), Cell(shift.shift),
            Cell(shift.ks), Cell(100 * shift.outside),
        ]
        for shift in _furthest_first(shifts)
    ]  # fmt: skip
    headings = ["feature", "training mean", "training std", "new mean", "moved by, stds", "KS distance", "outside, %"]
    note = "Outside: rows below the least or above the largest value of the training rows."
    return Table("New rows against training rows", headings, rows, note)


def shift_figure(shifts: Sequence[FeatureShift]) -> Figure:
    """How far the mean of each feature moved, the furthest at the top."""
    shown = _furthest_first(shifts)[:_MOST_SHOWN]
    moves = [0.0 if np.isnan(shift.shift) else shift.shift for shift in shown]
    with look():
        figure = Figure(figsize=(9.6, 0.3 * len(shown) + 1.0), layout="constrained")
        ax = figure.subplots()
        ax.axvline(0, color=MUTED, linewidth=0.8)
        for place, (move, shift) in enumerate(zip(moves, shown, strict=True)):
            colour = "#d9480f" if shift.is_shifted else DATA
            ax.plot([0, move], [place, place], color=colour, linewidth=2)
            ax.plot(move, place, "o", color=colour, markersize=6)
        ax.set_yticks(
            range(len(shown)), [shift.name if len(shift.name) <= 28 else shift.name[:26] + "…" for shift in shown]
        )
        ax.set_ylim(len(shown) - 0.5, -0.5)
        limit = 1.1 * max(1.0, *(abs(move) for move in moves))
        ax.set_xlim(-limit, limit)
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel("mean of the new rows, in training stds from the training mean")
    return figure


def shift_verdict(shifts: Sequence[FeatureShift], std_growth: float | None = None) -> str:
    """In a sentence or two: whether the new rows look like the training rows, and whether std noticed."""
    moved = [shift for shift in _furthest_first(shifts) if shift.is_shifted]
    if moved:
        named = ", ".join(shift.name for shift in moved[:3])
        more = f" and {len(moved) - 3} more" if len(moved) > 3 else ""
        said = f"{len(moved)} of {len(shifts)} features differ from those of the training rows: {named}{more}."
    else:
        said = "The features look like those of the training rows."
    if std_growth is None:
        return said
    if std_growth > 1.05:
        return f"{said} Std is {100 * (std_growth - 1):.0f} % larger than at the training rows."
    if std_growth < 0.95:
        return f"{said} Std is {100 * (1 - std_growth):.0f} % smaller than at the training rows."
    return f"{said} Std is as large as at the training rows."


def _furthest_first(shifts: Sequence[FeatureShift]) -> list[FeatureShift]:
    return sorted(shifts, key=lambda shift: -abs(shift.shift) if shift.shift == shift.shift else -np.inf)
