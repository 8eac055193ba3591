"""Six panels with a mark for each column: how a score spreads over data sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from wdrop.measures import MEASURES
from wdrop.report.benchmark_figures.circumstances import CIRCUMSTANCES, over_folds
from wdrop.report.figures import INK, MUTED, look

MEAN, MEDIAN, BAR, LIT = "#1c7ed6", "#f08c00", "#7b8794", "#e3f0fc"


@final
@dataclass(frozen=True)
class Mark:
    """Mean, median, 25 and 75 % quantile over n data sets."""

    mean: float
    median: float
    low: float
    high: float
    n: int


Row = dict[tuple[str, Any], Mark]
"""The marks of one measure, by circumstance and column."""


def marks(rows: pd.DataFrame, column: str, measure: str) -> Row:
    """The spread over data sets, for every circumstance and column that has any."""
    scores = over_folds(rows, column, measure)
    return {
        (str(circumstance), key): _mark(some[measure].to_numpy(float))
        for (circumstance, key), some in scores.groupby(["circumstance", column], sort=False)
    }


def _mark(values: Any) -> Mark:
    low, median, high = np.quantile(values, (0.25, 0.5, 0.75))
    return Mark(float(values.mean()), float(median), float(low), float(high), len(values))


def six_panels_figure(
    rows: pd.DataFrame,
    column: str,
    labels: Mapping[Any, str],
    measures: Sequence[str],
    *,
    lit: Any = None,
    lit_means: str = "",
    x_label: str = "",
    upright: bool = True,
) -> Figure:
    """A row of six panels for each measure; blue cross mean, orange bar median, gray bar 25 to 75 % over data sets.

    rows     records with their circumstance
    column   the column of `rows` whose values stand side by side, in the order of `labels`
    lit      the value with a light blue background, and what that means
    upright  whether the labels are short enough to stand level
    """
    with look():
        width = max(9.6, 1.4 + 6 * 0.17 * len(labels))
        figure = Figure(figsize=(width, 2.35 * len(measures) + 0.9), layout="constrained")
        grid = figure.subplots(len(measures), len(CIRCUMSTANCES), sharex=True, sharey="row", squeeze=False)
        for axes, measure in zip(grid, measures, strict=True):
            row = marks(rows, column, measure)
            axes[0].set_ylim(*_limits(row))
            axes[0].set_ylabel(MEASURES[measure].heading if measure in MEASURES else measure)
            for ax, circumstance in zip(axes, CIRCUMSTANCES, strict=True):
                cells = {key: row[circumstance, key] for key in labels if (circumstance, key) in row}
                _panel(ax, cells, list(labels), lit)
        has_beyond = any(text.get_rotation() == 90 for ax in grid[0] for text in ax.texts)
        for ax, panel in zip(grid[0], CIRCUMSTANCES.values(), strict=True):
            ax.set_title(panel.title, fontsize=9, pad=36 if has_beyond else 11)  # room for digits below
        for ax in grid[-1]:
            places = range(len(labels))
            ax.set_xticks(places, list(labels.values()), rotation=0 if upright else 90, fontsize=7.5)
            ax.set_xlim(-0.6, len(labels) - 0.4)
            ax.set_xlabel(x_label)
        figure.align_ylabels()
        _legend(figure, grid, lit_means)
    return figure


def _limits(row: Row) -> tuple[float, float]:
    """Where the axis ends: around all marks, or around most of them where a few are wild."""
    if not row:
        return 0.0, 1.0
    bottom = min(0.0, *(mark.low for mark in row.values()), *(mark.mean for mark in row.values()))
    typical = float(np.quantile([mark.high for mark in row.values()], 0.6)) - bottom
    # one wild data set in four moves a quartile, but no median
    typical = min(typical, 3 * (float(np.quantile([mark.median for mark in row.values()], 0.6)) - bottom))
    tallest = max(max(mark.high, mark.mean) for mark in row.values()) - bottom
    height = (tallest if tallest <= 2.5 * typical else 1.6 * typical) or 1.0
    return bottom - (0.05 * height if bottom < 0 else 0.0), bottom + 1.12 * height


def _panel(ax: Axes, cells: Mapping[Any, Mark], keys: Sequence[Any], lit: Any) -> None:
    """One mark for each column; what lies beyond the axis has an arrow, and its value above the frame."""
    bottom, top = ax.get_ylim()
    most = max((mark.n for mark in cells.values()), default=0)
    if lit in keys:
        ax.axvspan(keys.index(lit) - 0.5, keys.index(lit) + 0.5, color=LIT, linewidth=0, zorder=0)
    if bottom < 0:
        ax.axhline(0, color=MUTED, linewidth=0.6, zorder=0.5)
    for key, mark in cells.items():
        x = keys.index(key)
        ax.vlines(x, mark.low, mark.high, color=BAR, linewidth=1.3, zorder=2)
        ends = [end for end in (mark.low, mark.high) if end <= top]
        ax.hlines(ends, x - 0.2, x + 0.2, color=BAR, linewidth=1.3, zorder=2)
        highest = bottom + 0.97 * (top - bottom)  # the frame would cut a higher mark in two
        if mark.median <= highest:
            ax.hlines(mark.median, x - 0.36, x + 0.36, color=MEDIAN, linewidth=2.2, zorder=3)
        if mark.mean <= highest:
            ax.plot(x, mark.mean, "x", color=MEAN, markersize=5, markeredgewidth=1.5, zorder=4)
        beyond = [(value, colour) for value, colour in ((mark.mean, MEAN), (mark.median, MEDIAN)) if value > highest]
        for place, (value, colour) in enumerate(beyond):
            _beyond(ax, x + 0.45 * (place - (len(beyond) - 1) / 2), value, colour)
        if mark.n < most:
            where = ax.get_xaxis_transform()
            ax.text(x, -0.02, str(mark.n), color=BAR, fontsize=6.5, ha="center", va="top", transform=where)
    ax.tick_params(axis="y", labelsize=7.5)
    ax.tick_params(axis="x", length=0)
    if not cells:
        ax.text(0.5, 0.5, "not run", color=MUTED, ha="center", va="center", transform=ax.transAxes)


def _beyond(ax: Axes, x: float, value: float, colour: str) -> None:
    where = ax.get_xaxis_transform()
    ax.plot(x, 0.98, "^", color=colour, markersize=4, transform=where, zorder=6)
    ax.text(x, 1.02, short(value), color=colour, fontsize=6.5, rotation=90, ha="center", va="bottom", transform=where)


def short(value: float) -> str:
    """Two digits, as a power of ten where the number is long."""
    digits, power = f"{value:.1e}".split("e")
    if abs(int(power)) > 2:
        return f"{digits}·10$^{{{int(power)}}}$"
    return f"{float(value):.{max(0, 1 - int(power))}f}" if int(power) < 2 else f"{float(f'{value:.1e}'):.0f}"


def _legend(figure: Figure, grid: Any, lit_means: str) -> None:
    """What the marks mean, of those that are drawn."""
    handles: list[Artist] = [
        Line2D([], [], color=MEAN, marker="x", linestyle="", markeredgewidth=1.5, label="mean over data sets"),
        Line2D([], [], color=MEDIAN, linewidth=2.2, label="median"),
        Line2D([], [], color=BAR, linewidth=1.3, label="25 % to 75 %"),
    ]
    if lit_means and any(ax.patches for ax in grid.flat):
        handles.append(Patch(color=LIT, label=lit_means))
    arrows = {line.get_color() for ax in grid.flat for line in ax.lines if line.get_marker() == "^"}
    handles += [
        Line2D([], [], color=colour, marker="^", linestyle="", label=f"{name} beyond the axis, with its value")
        for name, colour in (("mean", MEAN), ("median", MEDIAN))
        if colour in arrows
    ]
    if any(text.get_position()[1] < 0 for ax in grid.flat for text in ax.texts):
        told = Line2D([], [], color=BAR, marker="$6$", linestyle="", label="data sets so far, where some are missing")
        handles.append(told)
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 6), labelcolor=INK, fontsize=8)
