"""The paper's pictures of one-dimensional data: sub-networks as lines, and mean and std along x."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from wdrop.report.figures import DATA, INK, METHOD_COLOURS, METHOD_TITLES, TRUTH, look

Array = NDArray[Any]


@final
@dataclass(frozen=True, eq=False)
class ToyData:
    """What a toy panel shows of the data.

    x, y      (n,), observed points
    true_std  (2, m): x and the std of the noise there, where the data have noise
    """

    x: Array
    y: Array
    true_std: Array | None = None


@final
@dataclass(frozen=True, eq=False)
class ToyCurves:
    """A method's prediction along a grid.

    x, mean, std  (m,)
    samples       (s, m), sub-networks
    """

    x: Array
    mean: Array
    std: Array
    samples: Array


def subnetworks_figure(data: Mapping[str, ToyData], curves: Mapping[tuple[str, str], ToyCurves]) -> Figure:
    """The paper's Figure 1: sub-networks as gray lines over the data; rows are data sets, columns methods.

    `curves` is keyed by (data set, method).
    """
    with look():
        figure, axes = _grid(data, curves, height=2.5)
        for (row, column), ax in np.ndenumerate(axes):
            dataset, method = list(data)[row], _methods(curves)[column]
            if (dataset, method) not in curves:  # not run yet
                ax.set_axis_off()
                continue
            drawn = curves[dataset, method]
            _scatter(ax, data[dataset])
            ax.plot(drawn.x, drawn.samples.T, color="#3c434a", alpha=0.07, linewidth=0.5, zorder=2, rasterized=True)
            if row == 0:
                ax.set_title(METHOD_TITLES[method])
            if column == 0:
                ax.set_ylabel(dataset)
            if row == len(axes) - 1:
                ax.set_xlabel("x")
        figure.align_ylabels()
    return figure


@final
@dataclass(frozen=True, eq=False)
class Column:
    """One column of a panel figure."""

    title: str
    colour: str
    curves: ToyCurves
    framed: bool = False


def panel_figure(dataset: str, data: ToyData, columns: Sequence[Column]) -> Figure:
    """Data, mean and std (with the true one) from top to bottom, a narrow column each for methods or settings."""
    with look():
        figure = Figure(figsize=(1.35 * len(columns) + 0.6, 4.2), layout="constrained")
        grid = figure.subplots(3, len(columns), sharex=True, sharey="row", squeeze=False)
        limit = 1.15 * max(_loudest(data), max(float(np.quantile(column.curves.std, 0.98)) for column in columns))
        if data.true_std is not None:
            limit = min(limit, 3 * _loudest(data))  # lest one wild method flatten all others
        for i, column in enumerate(columns):
            top, middle, bottom = grid[:, i]
            _scatter(top, data, size=1.5)
            _scatter(middle, data, size=1.5, alpha=0.12)
            middle.plot(column.curves.x, column.curves.mean, color=column.colour, linewidth=1.4)
            if data.true_std is not None:
                bottom.plot(*data.true_std, color=TRUTH, linewidth=1.2, linestyle=(0, (4, 2)))
            bottom.plot(column.curves.x, column.curves.std, color=column.colour, linewidth=1.4)
            bottom.set_ylim(0, limit)
            if column.curves.std.min() > limit:
                told = f"↑ {np.median(column.curves.std):.3g}"
                bottom.text(0.5, 0.9, told, color=column.colour, ha="center", transform=bottom.transAxes)
            top.set_title(column.title, fontsize=9, color="#d9480f" if column.framed else INK)
            for ax in (top, middle, bottom):
                if column.framed:
                    ax.set_facecolor("#fff4e6")
                ax.tick_params(labelsize=7)
        for ax, label in zip(grid[:, 0], (f"{dataset}\ny", "mean", "std"), strict=True):
            ax.set_ylabel(label)
        figure.align_ylabels()
    return figure


def _loudest(data: ToyData) -> float:
    return 0.0 if data.true_std is None else float(data.true_std[1].max())


def mean_and_std_figure(dataset: str, data: ToyData, curves: Mapping[str, ToyCurves]) -> Figure:
    """Data and mean above, std below with the true one, a column for each method."""
    with look():
        figure = Figure(figsize=(4.2 * len(curves), 4.6), layout="constrained")
        grid = figure.subplots(2, len(curves), sharex=True, sharey="row", squeeze=False, height_ratios=(1.25, 1))
        for column, (method, drawn) in enumerate(curves.items()):
            colour = METHOD_COLOURS[method]
            top, bottom = grid[:, column]
            _scatter(top, data)
            top.fill_between(
                drawn.x, drawn.mean - 2 * drawn.std, drawn.mean + 2 * drawn.std, color=colour, alpha=0.16, linewidth=0
            )
            top.plot(drawn.x, drawn.mean, color=colour, linewidth=1.6, label="mean, with ± 2 std shaded")
            top.set_title(METHOD_TITLES[method])
            top.legend(loc="upper right", fontsize=8)
            bottom.plot(drawn.x, drawn.std, color=colour, linewidth=1.6, label="predicted std")
            if data.true_std is not None:
                bottom.plot(*data.true_std, color=TRUTH, linewidth=1.6, linestyle=(0, (4, 2)), label="true std")
            bottom.set_ylim(bottom=0)
            bottom.set_xlabel("x")
            bottom.legend(loc="upper right", fontsize=8)
        grid[0, 0].set_ylabel(dataset)
        grid[1, 0].set_ylabel("std")
        figure.align_ylabels()
    return figure


def _grid(
    data: Mapping[str, ToyData], curves: Mapping[tuple[str, str], ToyCurves], height: float
) -> tuple[Figure, NDArray[Any]]:
    methods = _methods(curves)
    figure = Figure(figsize=(4.2 * len(methods), height * len(data)), layout="constrained")
    figure.get_layout_engine().set(wspace=0.04)  # type: ignore[call-arg, union-attr]  # lest 15 and -15 touch
    return figure, figure.subplots(len(data), len(methods), sharex="row", sharey="row", squeeze=False)


def _methods(curves: Mapping[tuple[str, str], ToyCurves]) -> Sequence[str]:
    return list(dict.fromkeys(method for _, method in curves))


def _scatter(ax: Axes, data: ToyData, size: float = 3, alpha: float = 0.35) -> None:
    ax.scatter(data.x, data.y, s=size, color=DATA, alpha=alpha, linewidths=0, zorder=1, rasterized=True)
    ax.tick_params(colors=INK)
    ax.margins(x=0.01)
