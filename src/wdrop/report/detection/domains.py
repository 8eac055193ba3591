"""Detectors on data they were not trained on: heatmaps, and the table behind them."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize, SymLogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter
from numpy.typing import NDArray

from wdrop.report.detection.rows import HEADINGS, PROTOCOLS, cell, contestants, datasets, judged, mean, of
from wdrop.report.figures import look
from wdrop.report.tables import Cell, Table

_SCALES: Mapping[str, Callable[[float, float], Normalize]] = MappingProxyType(
    {
        "rmse": LogNorm,
        "ece": Normalize,
        "nll": lambda low, high: SymLogNorm(1, vmin=low, vmax=high),  # it may be negative
        "ws": LogNorm,
    }
)
"""Scores without a bound follow the logarithm, as one transfer would blanch all others."""
MEASURES = tuple(_SCALES)
_TITLES = {"rmse": "RMSE in pixels (log)", "ece": "ECE", "nll": "NLL (log)", "ws": "WS (log)"}
_BESIDE = ("n_matched", "recall", "miou", *MEASURES, "etl")


def domains_table(records: pd.DataFrame, protocol: str) -> Table | None:
    """A row for each contestant, data set of training and data set of test."""
    rows = judged(records, protocol=protocol)
    if not (rows["tested_on"] != rows["dataset"]).any():
        return None
    body: list[Sequence[str | Cell]] = []
    for one in contestants(rows):
        for (trained, tested), own in of(rows, one).groupby(["dataset", "tested_on"], sort=False):
            scores = [cell(own, name) for name in _BESIDE]
            body.append([one.label, str(trained), str(tested), str(own["seed"].nunique()), *scores])
    headings = ["method", "trained on", "tested on", "seeds", *(HEADINGS[name] for name in _BESIDE)]
    note = "Test pictures as they are. A set without pedestrians teaches nothing about them: read recall first."
    return Table(f"Across data sets: {PROTOCOLS.get(protocol, protocol)}", headings, body, note)


def heatmaps_figure(records: pd.DataFrame, protocol: str) -> Figure | None:
    """Trained on (rows) against tested on (columns): a line of maps a contestant, a map a measure.

    Only contestants that were trained on every data set are shown; a measure's colours mean the same for all.
    """
    rows = judged(records, protocol=protocol)
    names = datasets(rows)
    tested = list(dict.fromkeys(str(name) for name in rows["tested_on"]))
    full = [one for one in contestants(rows) if set(of(rows, one)["dataset"]) >= set(names)]
    if not full or not (rows["tested_on"] != rows["dataset"]).any():
        return None
    with look():
        figure = Figure(
            figsize=(3 * len(MEASURES) + 0.8, (0.42 * len(names) + 0.5) * len(full) + 1.3), layout="constrained"
        )
        grid = figure.subplots(len(full), len(MEASURES), squeeze=False, sharex=True, sharey=True)
        for column, measure in zip(grid.T, MEASURES, strict=True):
            maps = [_matrix(of(rows, one), names, tested, measure) for one in full]
            norm = _SCALES[measure](float(np.nanmin(maps)), float(np.nanmax(maps)))
            for ax, values in zip(column, maps, strict=True):
                _draw(ax, values, norm)
            column[0].set_title(_TITLES[measure])
            bar = figure.colorbar(column[0].images[0], ax=list(column), location="bottom", shrink=0.9, aspect=30)
            if "log" in _TITLES[measure]:
                bar.ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            bar.ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            bar.ax.xaxis.set_minor_locator(NullLocator())
        grid[-1, 0].set_xticks(range(len(tested)), [name.replace("_", "_\n") for name in tested])
        grid[0, 0].set_yticks(range(len(names)), names)
        for ax, one in zip(grid[:, 0], full, strict=True):
            ax.set_ylabel(f"{one.label}, trained on")
        for ax in grid[-1]:
            ax.set_xlabel("tested on")
    return figure


def _matrix(rows: pd.DataFrame, names: Sequence[str], tested: Sequence[str], measure: str) -> NDArray[np.float64]:
    def score(trained: str, on: str) -> float:
        return mean(rows[(rows["dataset"] == trained) & (rows["tested_on"] == on)], measure)

    return np.array([[score(trained, on) for on in tested] for trained in names])


def _draw(ax: Axes, values: NDArray[np.float64], norm: Normalize) -> None:
    ax.imshow(values, cmap="YlOrBr", norm=norm, aspect="auto")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for (i, j), value in np.ndenumerate(values):
        dark = float(norm(value)) > 0.6
        text = f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
        ax.text(j, i, text, ha="center", va="center", color="white" if dark else "black", fontsize=8)
