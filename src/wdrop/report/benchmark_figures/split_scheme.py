"""The two splits that are not i.i.d., drawn on real data: what trains and what tests."""

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
_CHUNKS = {"extrapolate": _N_CHUNKS - 1, "interpolate": 6}
"""Which of the ten chunks the scheme holds out: an outer one, and one of the eight inner ones."""


def split_scheme_figure(dataset: str, x: Array, y: Array, n_shown: int = 2000) -> Figure:
    """Rows extrapolate and interpolate; columns the split along the first principal axis and along the label.

    x        (n, d), inputs as they are; their columns get mean 0 and std 1 before the axes are found
    y        (n,), labels
    n_shown  at most so many points are drawn, evenly picked from the data as they are ordered
    """
    first, second = principal_coordinates(x)
    label = np.asarray(y, float).reshape(-1)
    shown = np.unique(np.linspace(0, len(label) - 1, min(n_shown, len(label))).astype(int))
    with look():
        figure = Figure(figsize=(8.4, 5.6), layout="constrained")
        grid = figure.subplots(2, 2, sharex="col", sharey="col")
        for ax, up in zip(grid[0], (second, label), strict=True):  # shared by the row below
            ax.set_xlim(*_frame(first))
            ax.set_ylim(*_frame(up))
        for (left, right), (aim, chunk) in zip(grid, _CHUNKS.items(), strict=True):
            _panel(left, first, second, chunk, shown)
            _panel(right, first, label, chunk, shown, upright=False)
            left.set_ylabel(f"{aim}\n\nsecond principal axis")
            right.set_ylabel("label")
        for ax in grid[-1]:
            ax.set_xlabel("first principal axis")
        grid[0, 0].set_title("split along the first principal axis of the inputs")
        grid[0, 1].set_title("split along the label")
        figure.align_ylabels()
        _legend(figure, dataset)
    return figure


def principal_coordinates(x: Array) -> tuple[Array, Array]:
    """The projections on the first two principal axes of the scaled inputs; the second is 0 for a single column."""
    columns = np.asarray(x, float)
    spread = columns.std(0)
    scaled = (columns - columns.mean(0)) / np.where(spread > 0, spread, 1)  # a constant column stays 0
    axes = np.linalg.svd(scaled, full_matrices=False)[2][:2]
    # an axis has no sign of its own: let its largest weight be positive
    axes *= np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(1)])[:, None]
    projected = scaled @ axes.T
    return projected[:, 0], projected[:, 1] if len(axes) > 1 else np.zeros(len(projected))


def _frame(values: Array) -> tuple[float, float]:
    """Around nearly all values: a few far points would leave the others in a corner."""
    low, high = np.quantile(values, (0.005, 0.995))
    margin = 0.06 * (high - low) or 1.0
    return float(low - margin), float(high + margin)


def _panel(ax: Axes, across: Array, up: Array, chunk: int, shown: Array, *, upright: bool = True) -> None:
    """Points, the borders of the ten chunks, and the one that tests; chunks lie along x, or along y."""
    along = across if upright else up
    borders = np.quantile(along, np.linspace(0, 1, _N_CHUNKS + 1))
    low = borders[chunk]
    high = borders[chunk + 1] if chunk < _N_CHUNKS - 1 else np.inf
    for border in borders[1:-1]:
        line = ax.axvline if upright else ax.axhline
        line(border, color=MUTED, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
    end = min(high, (ax.get_xlim() if upright else ax.get_ylim())[1])
    (ax.axvspan if upright else ax.axhspan)(low, end, color="#ffe8cc", linewidth=0, zorder=0)
    tests = (along[shown] >= low) & (along[shown] <= high)
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
