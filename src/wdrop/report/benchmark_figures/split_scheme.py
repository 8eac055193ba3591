"""The two splits that are not i.i.d., drawn on real data: what trains and what tests."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from wdrop.report.figures import INK, MUTED, look

Array = NDArray[Any]

_TRAIN, _TEST = "#6c8ebf", "#d9480f"
_N_CHUNKS = 10


def split_scheme_figure(
    dataset: str,
    places: Mapping[str, Array],
    second: Array,
    tests: Mapping[tuple[str, str], Array],
    n_shown: int = 2000,
) -> Figure:
    """A row for each aim; columns are the split along the first principal axis and along the label.

    places   of "pca" and "label": (n,), where the rows lie along the direction, as the splits have it
    second   (n,), how far up the rows are drawn in the left column
    tests    by direction and aim, such as ("pca", "extrapolate"): the numbers of the rows that test
    n_shown  at most so many points are drawn, evenly picked from the data as they are ordered
    """
    first, label = places["pca"], places["label"]
    aims = list(dict.fromkeys(aim for _, aim in tests))
    shown = np.unique(np.linspace(0, len(label) - 1, min(n_shown, len(label))).astype(int))
    with look():
        figure = Figure(figsize=(8.4, 2.7 * len(aims) + 0.2), layout="constrained")
        grid = figure.subplots(len(aims), 2, sharex="col", sharey="col", squeeze=False)
        for ax, up in zip(grid[0], (second, label), strict=True):  # shared by the rows below
            ax.set_xlim(*_frame(first))
            ax.set_ylim(*_frame(up))
        for (left, right), aim in zip(grid, aims, strict=True):
            _panel(left, first, second, tests["pca", aim], shown)
            _panel(right, first, label, tests["label", aim], shown, upright=False)
            left.set_ylabel(f"{aim}\n\nsecond principal axis")
            right.set_ylabel("label")
        for ax in grid[-1]:
            ax.set_xlabel("first principal axis")
        grid[0, 0].set_title("split along the first principal axis of the inputs")
        grid[0, 1].set_title("split along the label")
        figure.align_ylabels()
        _legend(figure, dataset)
    return figure


def second_axis(x: Array) -> Array:
    """The projections of inputs (n, f) on their second principal axis, columns scaled; 0 for a single column."""
    spread = x.std(0)
    scaled = (x - x.mean(0)) / np.where(spread > 0, spread, 1)  # a constant column stays 0
    axes = np.linalg.svd(scaled, full_matrices=False)[2]
    projected: Array = scaled @ axes[1] if len(axes) > 1 else np.zeros(len(x))
    return projected


def _frame(values: Array) -> tuple[float, float]:
    """Around nearly all values: a few far points would leave the others in a corner."""
    low, high = np.quantile(values, (0.005, 0.995))
    margin = 0.06 * (high - low) or 1.0
    return float(low - margin), float(high + margin)


def _panel(ax: Axes, across: Array, up: Array, tested: Array, shown: Array, *, upright: bool = True) -> None:
    """Points, the borders of the ten chunks, and the one that tests; chunks lie along x, or along y."""
    along = across if upright else up
    borders = np.quantile(along, np.linspace(0, 1, _N_CHUNKS + 1))
    for border in borders[1:-1]:
        line = ax.axvline if upright else ax.axhline
        line(border, color=MUTED, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
    span = ax.axvspan if upright else ax.axhspan
    span(along[tested].min(), along[tested].max(), color="#ffe8cc", linewidth=0, zorder=0)
    tests = np.isin(shown, tested)
    for some, colour in ((shown[~tests], _TRAIN), (shown[tests], _TEST)):
        ax.plot(
            across[some], up[some], "o", color=colour, markersize=2.2, alpha=0.5, markeredgewidth=0, zorder=2,
            rasterized=True,
        )  # fmt: skip
    ax.tick_params(labelsize=7.5)


def _legend(figure: Figure, dataset: str) -> None:
    handles = [
        Line2D([], [], color=_TRAIN, marker="o", linestyle="", markersize=5, label=f"{dataset}: trains"),
        Line2D([], [], color=_TEST, marker="o", linestyle="", markersize=5, label=f"{dataset}: tests"),
        Line2D([], [], color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), label="borders of ten equally large chunks"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, labelcolor=INK)
