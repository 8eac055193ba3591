"""The way out of the training data: how std grows along a direction in which training stopped."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from wdrop.data.catalogue import CATALOGUE
from wdrop.report.benchmark_figures.circumstances import methods_in_order
from wdrop.report.figures import INK, METHOD_COLOURS, METHOD_LABELS, METHOD_TITLES, MUTED, look

Array = NDArray[Any]

DIRECTIONS = MappingProxyType({"label": "label", "pca": "projection on the first principal axis"})


@final
@dataclass(frozen=True, eq=False)
class WayOut:
    """What a method says of points on both sides of the training edge.

    coordinate  (n,), where the points lie along the direction: their label, or their projection
    std         (n,), predicted
    edge        the network was trained on coordinates up to here
    """

    coordinate: Array
    std: Array
    edge: float


def way_out_figure(ways: Mapping[tuple[str, str, str], WayOut]) -> Figure:
    """Points and their binned means, a row for each direction and a column for each data set.

    `ways` is keyed by (data set, direction, method). What lies right of the bar was not trained on.
    """
    datasets = list(dict.fromkeys(dataset for dataset, _, _ in ways))
    directions = [direction for direction in DIRECTIONS if any(key[1] == direction for key in ways)]
    methods = methods_in_order(method for _, _, method in ways)
    with look():
        figure = Figure(
            figsize=(4.2 * max(len(datasets), 1), 2.7 * max(len(directions), 1) + 0.4), layout="constrained"
        )
        grid = figure.subplots(max(len(directions), 1), max(len(datasets), 1), squeeze=False)
        for row, direction in zip(grid, directions, strict=False):
            for ax, dataset in zip(row, datasets, strict=True):
                here = {name: ways[dataset, direction, name] for name in methods if (dataset, direction, name) in ways}
                _panel(ax, here)
                ax.set_xlabel(_unit(dataset) if direction == "label" else DIRECTIONS[direction])
            row[0].set_ylabel("predicted std, standardised")
        for ax, dataset in zip(grid[0], datasets, strict=False):
            ax.set_title(dataset)
        if not ways:
            grid[0, 0].set_axis_off()
        figure.align_ylabels()
        _legend(figure, methods)
    return figure


def _panel(ax: Axes, ways: Mapping[str, WayOut]) -> None:
    if not ways:  # not run yet
        ax.set_axis_off()
        return
    coordinate = np.concatenate([way.coordinate for way in ways.values()])
    # a few far points would leave the others in a corner
    left, right = np.quantile(coordinate, (0.002, 0.998))
    left, right = left - 0.01 * (right - left), right + 0.01 * (right - left)
    lines = {name: [binned_means(*side) for side in _sides(way)] for name, way in ways.items()}
    highest = max(float(y.max()) for sides in lines.values() for _, y in sides if len(y))
    top = 1.25 * max(highest, *(float(np.quantile(way.std, 0.985)) for way in ways.values()))
    edge = next(iter(ways.values())).edge
    ax.axvspan(edge, right, color="#f1f3f5", linewidth=0, zorder=0)
    ax.axvline(edge, color=INK, linewidth=1.6, zorder=3.7)
    behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    for place, (method, way) in enumerate(ways.items()):
        colour = METHOD_COLOURS.get(method, MUTED)
        ax.plot(
            way.coordinate, way.std, "o", color=colour, markersize=1.8, alpha=0.22, markeredgewidth=0, rasterized=True,
            zorder=1,
        )  # fmt: skip
        for x, y in lines[method]:
            ax.plot(x, y, color="white", linewidth=3.6, zorder=3.5)
            ax.plot(x, y, color=colour, linewidth=2, marker="o", markersize=3, zorder=4)
        ax.text(
            0.02, 0.97 - 0.1 * place, growth(way), color=colour, fontsize=8, va="top", transform=ax.transAxes,
            bbox=behind, zorder=5,
        )  # fmt: skip
    n_cut = sum(
        int(((way.std > top) | (way.coordinate < left) | (way.coordinate > right)).sum()) for way in ways.values()
    )
    if n_cut:
        told = f"{n_cut} of {sum(len(way.std) for way in ways.values())} points\nlie outside the frame"
        ax.text(0.02, 0.97 - 0.1 * len(ways), told, color=MUTED, fontsize=7, va="top", transform=ax.transAxes, zorder=5)
    ax.set_xlim(left, right)
    ax.set_ylim(0, top)


def _unit(dataset: str) -> str:
    return f"label: {CATALOGUE[dataset].target}" if dataset in CATALOGUE else "label"


def _sides(way: WayOut) -> list[tuple[Array, Array]]:
    """Coordinates and std inside and outside of the training edge."""
    return [(way.coordinate[side], way.std[side]) for side in (way.coordinate <= way.edge, way.coordinate > way.edge)]


def binned_means(coordinate: Array, values: Array, n_bins: int = 12) -> tuple[Array, Array]:
    """Mean coordinate and mean value in bins of equally many points, from left to right; at most `n_bins`."""
    order = np.argsort(coordinate, kind="stable")
    # fewer than five points make no mean worth a line
    bins = [some for some in np.array_split(order, max(1, min(n_bins, len(order) // 5))) if len(some)]
    return np.array([coordinate[some].mean() for some in bins]), np.array([values[some].mean() for some in bins])


def growth(way: WayOut) -> str:
    """Mean std outside over mean std inside, as text; empty where one side has no points."""
    inside, outside = (std for _, std in _sides(way))
    return f"std outside ×{outside.mean() / inside.mean():.2f}" if len(inside) and len(outside) else ""


def growths_told(ways: Mapping[tuple[str, str, str], WayOut]) -> str:
    """The same for every panel in a sentence: std may as well fall on the way out."""
    panels: dict[str, list[str]] = {}
    for (dataset, direction, method), way in ways.items():
        where = f"{dataset} along the {'label' if direction == 'label' else 'principal axis'}"
        factor = growth(way).removeprefix("std outside ")
        panels.setdefault(where, []).append(f"{METHOD_LABELS.get(method, method)} {factor or '–'}")
    told = "; ".join(f"{where} {', '.join(factors)}" for where, factors in panels.items())
    return f"Mean std outside over that inside: {told}."


def _legend(figure: Figure, methods: list[str]) -> None:
    handles = [
        Line2D([], [], color=METHOD_COLOURS.get(name, MUTED), linewidth=2, marker="o", markersize=3, label=title)
        for name in methods
        if (title := METHOD_TITLES.get(name, name))
    ]
    handles.append(Line2D([], [], color=INK, linewidth=1.6, label="training stops here"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
