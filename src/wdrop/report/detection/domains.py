"""Detectors on data they were not trained on: heatmaps, and the table behind them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from wdrop.report.detection.rows import HEADINGS, PROTOCOLS, cell, contestants, datasets, judged, mean, of
from wdrop.report.figures import look, spans_magnitudes
from wdrop.report.tables import Cell, Table, number

MEASURES = ("rmse", "ece", "nll", "ws")
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
    headings = ["", "trained on", "tested on", "seeds", *(HEADINGS[name] for name in _BESIDE)]
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
            figsize=(3.1 * len(MEASURES) + 0.6, (0.55 * len(names) + 1.5) * len(full)), layout="constrained"
        )
        grid = figure.subplots(len(full), len(MEASURES), squeeze=False)
        for column, measure in zip(grid.T, MEASURES, strict=True):
            maps = [_matrix(of(rows, one), names, tested, measure) for one in full]
            low, high = float(np.nanmin(maps)), float(np.nanmax(maps))
            for ax, values, one in zip(column, maps, full, strict=True):
                _draw(ax, values, names, tested, (low, high))
                ax.set_title(f"{HEADINGS[measure]}, {one.label}")
        for line, _ in zip(grid, full, strict=True):
            line[0].set_ylabel("trained on")
        for ax in grid[-1]:
            ax.set_xlabel("tested on")
    return figure


def _matrix(rows: pd.DataFrame, names: Sequence[str], tested: Sequence[str], measure: str) -> NDArray[np.float64]:
    def score(trained: str, on: str) -> float:
        return mean(rows[(rows["dataset"] == trained) & (rows["tested_on"] == on)], measure)

    return np.array([[score(trained, on) for on in tested] for trained in names])


def _draw(
    ax: Axes, values: NDArray[np.float64], names: Sequence[str], tested: Sequence[str], span: tuple[float, float]
) -> None:
    low, high = span
    norm: Normalize = LogNorm(low, high) if spans_magnitudes(low, high) else Normalize(low, high)
    ax.imshow(values, cmap="YlOrBr", norm=norm, aspect="auto")
    ax.set_xticks(range(len(tested)), tested, rotation=20, ha="right")
    ax.set_yticks(range(len(names)), names)
    ax.spines[:].set_visible(False)
    for (i, j), value in np.ndenumerate(values):
        dark = high > low and float(norm(value)) > 0.6
        ax.text(j, i, number(value), ha="center", va="center", color="white" if dark else "black", fontsize=8)
