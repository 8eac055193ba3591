"""The grid searches for λ: MC dropout's weight decay and PU-EV's regulariser, on the small data sets."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.measures import MEASURES
from wdrop.report.benchmark_figures.circumstances import over_folds, with_circumstance
from wdrop.report.benchmark_figures.rates import with_setting
from wdrop.report.benchmark_figures.summary import LIT
from wdrop.report.figures import INK, METHOD_TITLES, MUTED, look

CHOSEN: MappingProxyType[str, float] = MappingProxyType({"mc_dropout": 1e-6, "pu_evidential": 1e-2})
"""The λ on which the paper settled."""
_SYMBOLS = ("λ", "lambda")
# Okabe and Ito again, with markers, since six lines cross
_LINES = (
    ("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"), ("#e69f00", "v"), ("#56b4e9", "P"),
    ("#595959", "X"),
)  # fmt: skip


def lambda_grids_figure(
    records: pd.DataFrame,
    measures: Sequence[str] = ("rmse", "nll", "ece"),
    chosen: Mapping[str, float] = CHOSEN,
) -> Figure:
    """Test scores against λ: a column for each method of `chosen`, a row for each measure, a line for each data set.

    λ is read from the variant of a record ("1e-3", "λ=1e-3"); a record without variant has the paper's choice. That
    has a light blue background; the large open mark is the best of a line.
    """
    rows = with_circumstance(records)
    rows = rows[rows["circumstance"] == "test"]
    found = {
        method: with_setting(rows[rows["method"] == method], _SYMBOLS, default) for method, default in chosen.items()
    }
    datasets = list(dict.fromkeys(name for some in found.values() for name in some["dataset"]))
    lines = {name: _LINES[i % len(_LINES)] for i, name in enumerate(datasets)}
    with look():
        figure = Figure(figsize=(4.2 * len(chosen), 2.1 * len(measures) + 0.9), layout="constrained")
        grid = figure.subplots(len(measures), len(chosen), sharex="col", sharey="row", squeeze=False)
        for column, (method, some) in zip(grid.T, found.items(), strict=True):
            settings = sorted(set(some["setting"].dropna()))
            for ax, measure in zip(column, measures, strict=True):
                _panel(ax, some, measure, settings, lines, chosen[method])
            column[0].set_title(METHOD_TITLES.get(method, method))
            column[-1].set_xticks(range(len(settings)), [_power(value) for value in settings])
            column[-1].set_xlim(-0.5, max(len(settings), 1) - 0.5)
            column[-1].set_xlabel("λ")
        for row, measure in zip(grid, measures, strict=True):
            row[0].set_ylabel(MEASURES[measure].heading if measure in MEASURES else measure)
            _compress_wild(row)
        figure.align_ylabels()
        _legend(figure, grid)
    return figure


def _panel(
    ax: Axes, rows: pd.DataFrame, measure: str, settings: list[float], lines: Mapping[str, tuple[str, str]], lit: float
) -> None:
    """λ at evenly spaced places, as it may be 0."""
    if lit in settings:
        ax.axvspan(settings.index(lit) - 0.5, settings.index(lit) + 0.5, color=LIT, linewidth=0, zorder=0)
    scores = over_folds(rows, "setting", measure)
    for dataset, (colour, marker) in lines.items():
        line = scores[scores["dataset"] == dataset].sort_values("setting")
        if line.empty:
            continue
        x, y = [settings.index(value) for value in line["setting"]], line[measure].to_numpy(float)
        ax.plot(x, y, color=colour, marker=marker, markersize=3.5, linewidth=1.2, label=dataset)
        best = int(y.argmin())
        ax.plot(x[best], y[best], "o", color=colour, markersize=9, markerfacecolor="none", markeredgewidth=1.3)
    if scores.empty:
        ax.text(0.5, 0.5, "not run", color=MUTED, ha="center", va="center", transform=ax.transAxes)
    ax.tick_params(labelsize=8)


def _compress_wild(row: Any) -> None:
    """Where a few settings are wild, logarithmic beyond the typical values; a dotted line is drawn where it begins."""
    lines = [[line.get_ydata() for line in ax.lines if len(line.get_ydata()) > 1] for ax in row]
    panels = [np.concatenate(some) for some in lines if some]
    if not panels:
        return
    low, median, typical, high = (float(value) for value in np.quantile(np.concatenate(panels), (0, 0.5, 0.75, 1)))
    typical = min(typical, low + 4 * (median - low))  # a wild quarter moves a quartile
    if high - low > 4 * (typical - low) > 0:
        calmest = float(min(values.max() for values in panels))
        begin = max(abs(low), min(abs(low + 2 * (typical - low)), abs(calmest)))
        for ax in row:
            ax.set_yscale("symlog", linthresh=begin, linscale=1.5)
            ax.axhline(begin, color=MUTED, linewidth=0.8, linestyle=":", zorder=0)
        row[0].set_ylim(low - 0.15 * (typical - low), 2 * high)


def _power(value: float) -> str:
    if value == 0:
        return "0"
    power = round(np.log10(value))
    return f"10$^{{{power}}}$" if np.isclose(value, 10.0**power) and power < -1 else f"{value:g}"


def _legend(figure: Figure, grid: Any) -> None:
    drawn: dict[str, Any] = {}
    for ax in grid.flat:
        for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
            drawn.setdefault(name, handle)
    if drawn:
        handles, n_columns = list(drawn.values()), min(len(drawn), 7)
        figure.legend(handles=handles, loc="outside lower center", ncols=n_columns, labelcolor=INK)
