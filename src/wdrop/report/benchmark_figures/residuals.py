"""Residuals against predicted std: points of an honest forecaster lie above the lines, in known shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from wdrop.report.figures import INK, METHOD_LABELS, MUTED, look

Array = NDArray[Any]

COLUMNS = ("pu", "pu_ensemble", "w_dropout", "mc_dropout", "mc_dropout_last_layer", "deep_ensemble")
"""As the paper lines them up: those that model noise first."""
_POINT, _ONE, _THREE = "#4dabf7", "#e67700", "#1b3a6b"


@final
@dataclass(frozen=True, eq=False)
class Judged:
    """A prediction and the truth, (n,) each."""

    mean: Array
    std: Array
    y: Array


def residuals_figure(judged: Mapping[tuple[str, str], Judged]) -> Figure:
    """Rows are data sets, columns methods; `judged` is keyed by (data set, method)."""
    datasets = list(dict.fromkeys(dataset for dataset, _ in judged))
    present = {method for _, method in judged}
    methods = [*(name for name in COLUMNS if name in present), *sorted(present - set(COLUMNS))]
    with look():
        shape = max(len(datasets), 1), max(len(methods), 1)
        figure = Figure(figsize=(1.75 * shape[1] + 0.6, 1.65 * shape[0] + 0.7), layout="constrained")
        grid = figure.subplots(*shape, sharex="row", sharey="row", squeeze=False)
        for row, dataset in zip(grid, datasets, strict=False):
            limits = _limits([judged[dataset, name] for name in methods if (dataset, name) in judged])
            row[0].set_ylabel(f"{dataset}\nstd")
            for ax, method in zip(row, methods, strict=True):
                ax.tick_params(labelsize=7)
                if (dataset, method) in judged:
                    _panel(ax, judged[dataset, method], limits)
                else:
                    ax.text(0.5, 0.5, "not run", color=MUTED, ha="center", va="center", transform=ax.transAxes)
        for ax, method in zip(grid[0], methods, strict=False):
            ax.set_title(METHOD_LABELS.get(method, method), pad=14)  # room for the shares below
        for ax in grid[-1]:
            ax.set_xlabel("residual")
        figure.align_ylabels()
        _legend(figure)
    return figure


def ideal_residuals_figure(n: int = 3000) -> Figure:
    """The same picture of a perfect forecaster: std ~ U(0, 2), residuals ~ N(0, std)."""
    rng = np.random.default_rng(0)
    std = rng.uniform(0, 2, n)
    ideal = Judged(std * rng.standard_normal(n), std, np.zeros(n))
    with look():
        figure = Figure(figsize=(6.2, 3.8), layout="constrained")
        ax = figure.subplots()
        _panel(ax, ideal, (6.0, 2.15), size=2.2)
        ax.set_xlabel("residual")
        ax.set_ylabel("std")
        _legend(figure)
    return figure


def shares(judged: Judged) -> tuple[float, float]:
    """Which share of the residuals lies within one and within three std; 68.3 and 99.7 % would be right."""
    residual = np.abs(judged.mean - judged.y)
    return float((residual <= judged.std).mean()), float((residual <= 3 * judged.std).mean())


def _limits(judged: list[Judged]) -> tuple[float, float]:
    """Residual and std that nearly all points of a row stay below; one wild method does not flatten the others."""
    residual = max(float(np.quantile(np.abs(some.mean - some.y), 0.995)) for some in judged)
    stds = [float(np.quantile(some.std, 0.99)) for some in judged]
    return 1.05 * residual or 1.0, 1.2 * min(max(stds), 3 * float(np.median(stds))) or 1.0


def _panel(ax: Axes, judged: Judged, limits: tuple[float, float], size: float = 1.5) -> None:
    right, top = limits
    ax.plot(
        judged.mean - judged.y, judged.std, "o", color=_POINT, markersize=size, markeredgewidth=0, rasterized=True,
        alpha=0.35 if len(judged.y) > 500 else 0.6, zorder=1,
    )  # fmt: skip
    for slope, colour in ((1, _ONE), (3, _THREE)):
        ax.plot([-right, 0, right], [right / slope, 0, right / slope], color=colour, linewidth=1.3, zorder=2)
    ax.set_xlim(-right, right)
    ax.set_ylim(0, top)
    ax.tick_params(labelsize=7)
    ax.locator_params(nbins=4)
    behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8}
    text: dict[str, Any] = {"fontsize": 7, "transform": ax.transAxes, "bbox": behind, "zorder": 3}
    one, three = shares(judged)
    # above the frame, where no line is cut
    ax.text(0.0, 1.02, f"{100 * one:.0f} %", color=_ONE, va="bottom", **text)
    ax.text(1.0, 1.02, f"{100 * three:.1f} %", color=_THREE, va="bottom", ha="right", **text)
    above = float((judged.std > top).mean())
    if above > 0.01:
        ax.text(0.5, 0.97, f"↑ {100 * above:.0f} %", color=INK, va="top", ha="center", **text)


def _legend(figure: Figure) -> None:
    handles = [
        Line2D([], [], color=_POINT, marker="o", markersize=3, linestyle="", label="a test point"),
        Line2D([], [], color=_ONE, linewidth=1.3, label="1 std: 68.3 % belong above, found: left"),
        Line2D([], [], color=_THREE, linewidth=1.3, label="3 std: 99.7 % belong above, found: right"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8)
