"""Pictures of the gap over p, depth and width, and of std and error under shift."""

from collections.abc import Sequence
from math import log
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from wdrop.report.closed_form.gaps import typical_gap
from wdrop.report.closed_form.rows import COLOURS, asked, in_table_order, own_way
from wdrop.report.closed_form.settings import PLACES, SETTINGS, with_usual
from wdrop.report.closed_form.shift import Growth, growths
from wdrop.report.figures import MUTED, look

_MEDIAN = Line2D([], [], color=MUTED, marker="o", markersize=4, label="median of the points")
_HIGH = Line2D([], [], color=MUTED, linestyle="--", linewidth=0.9, label="95 % of the points")


def gaps_figure(rows: pd.DataFrame) -> Figure | None:
    """The closed form's gap over each setting: a line per training, its 95 % point dashed, on a log axis."""
    wanted = [(place, setting) for setting in SETTINGS for place in PLACES]
    panels = {}
    for place, setting in wanted:
        some = asked(with_usual(rows, setting, place), "closed_form").dropna(subset="gap_median")
        if some["value"].nunique() > 1:
            panels[place, setting] = some
    if not panels:
        return None
    with look():
        figure = Figure(figsize=(max(6.4, 1.2 + 3 * len(panels)), 3.6), layout="constrained")
        grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for ax, ((_, setting), some) in zip(grid, panels.items(), strict=True):
            _draw_gaps(ax, some)
            ax.set_xlabel(SETTINGS[setting])
            ax.set_title(", ".join(dict.fromkeys(some["dataset"])), fontsize=8.5)
        grid[0].set_ylabel("gap to 10,000 draws, %")
        _legend(figure, grid, _MEDIAN, _HIGH)
    return figure


def _draw_gaps(ax: Axes, rows: pd.DataFrame) -> None:
    for training in in_table_order(rows["training"]):
        of_one = rows[rows["training"] == training]
        values = sorted(set(of_one["value"]))
        gaps = [typical_gap(of_one[of_one["value"] == value]) for value in values]
        colour = COLOURS.get(training, MUTED)
        ax.plot(values, [gap for gap, _ in gaps], "o-", color=colour, markersize=4, label=training)
        ax.plot(values, [high for _, high in gaps], "--", color=colour, linewidth=0.9)
    ax.set_yscale("log")
    _plain_numbers(ax.yaxis)
    ax.set_xticks(sorted(set(rows["value"])), [f"{value:g}" for value in sorted(set(rows["value"]))])
    ax.grid(axis="y", color="#edf0f2")


def growth_figure(rows: pd.DataFrame) -> Figure | None:
    """Std against RMSE under shift, both over those of random folds: a dot a data set, on the line they keep step."""
    found = _drawn_growths(rows)
    splits = [split for split in ("label", "pca") if any(one.split == split for one in found)]
    if not splits:
        return None
    with look():
        figure = Figure(figsize=(1 + 4 * len(splits), 4.4), layout="constrained")
        grid = figure.subplots(1, len(splits), squeeze=False)[0]
        for ax, split in zip(grid, splits, strict=True):
            low, high = _ends([one for one in found if one.split == split])
            ax.plot([low, high], [low, high], color=MUTED, linewidth=1)
            ax.axhline(1, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
            for training in in_table_order(one.training for one in found):
                dots = [one for one in found if (one.training, one.split) == (training, split)]
                xs, ys = [one.rmse for one in dots], [one.std for one in dots]
                ax.plot(xs, ys, "o", color=COLOURS.get(training, MUTED), markersize=5, alpha=0.75, label=training)
            ax.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
            _plain_numbers(ax.xaxis)
            _plain_numbers(ax.yaxis)
            ax.set_xlabel("RMSE, extrapolation over random folds")
            ax.set_title("along the label" if split == "label" else "along the first principal axis", fontsize=9)
        grid[0].set_ylabel("std, extrapolation over random folds")
        _legend(figure, grid)
    return figure


def farthest(rows: pd.DataFrame) -> str:
    """Which data set has the dot that lies farthest off in each panel, in a sentence; empty where nothing is drawn."""
    names = {}
    for split, where in (("label", "along the label"), ("pca", "along the principal axis")):
        here = [one for one in _drawn_growths(rows) if one.split == split and one.std > 0 and one.rmse > 0]
        if here:
            names[where] = max(here, key=lambda one: max(abs(log(one.std)), abs(log(one.rmse)))).dataset
    told = ", ".join(f"{where} {name}" for where, name in names.items())
    return f"Farthest off: {told}." if told else ""


def _drawn_growths(rows: pd.DataFrame) -> list[Growth]:
    return [one for one in growths(rows) if one.kind == "extra" and one.way == own_way(one.training)]


def _ends(found: Sequence[Growth]) -> tuple[float, float]:
    """The ends of one panel's axes: one wild data set does not press the other panel's dots together."""
    values = [value for one in found for value in (one.std, one.rmse) if value > 0]
    return min(values) / 1.2, max(values) * 1.2


def _plain_numbers(axis: Axis) -> None:
    """Ticks of a log axis at 1, 2 and 5, without powers of ten."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(NullLocator())


def _legend(figure: Figure, grid: Any, *more: Line2D) -> None:
    """One entry per training, in the order of the tables, then those for what all have."""
    handles: dict[str, Artist] = {}
    for ax in grid:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    labels = [label for label in in_table_order(handles) if label in handles]
    lines = [*(handles[label] for label in labels), *more]
    n_columns = int(figure.get_figwidth() / 1.5)
    labels += [str(line.get_label()) for line in more]
    figure.legend(
        handles=lines, labels=labels, loc="outside lower center", ncols=min(len(labels), n_columns), fontsize=8
    )
