"""Costs over what they grow with, both in logarithms."""

from collections.abc import Mapping, Sequence

import numpy as np
from benchmarks._growth_report import Curve
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from wdrop.report.figures import INK, METHOD_COLOURS, METHOD_TITLES, look

X_LABELS = {
    "points": "training points n (and rows to predict)",
    "width": "width of the two hidden layers",
    "networks": "networks K in one stack",
    "draws": "draws L in a step",
    "targets": "targets",
}
DASHED = (0, (4, 2))


def figure(found: Sequence[Curve]) -> Figure:
    """Time above, memory below, a column for each axis; exponents of the upper end beside the lines."""
    axes = list(dict.fromkeys(curve.axis for curve in found))
    with look():
        drawn = Figure(figsize=(3.1 * len(axes), 6.4), layout="constrained")
        grid = drawn.subplots(2, len(axes), squeeze=False)
        for column, axis in enumerate(axes):
            mine = [curve for curve in found if curve.axis == axis and not _twice(curve)]
            _panel(grid[0, column], [curve for curve in mine if not curve.is_memory])
            _panel(grid[1, column], [curve for curve in mine if curve.is_memory])
            grid[1, column].set_xlabel(X_LABELS[axis])
        grid[0, 0].set_ylabel("processor time, ms")
        grid[1, 0].set_ylabel("memory on top of the data, MiB")
        drawn.legend(handles=_handles(found), loc="outside lower center", ncols=5)
    return drawn


def _twice(curve: Curve) -> bool:
    """Over n the epoch is shown, which is a step times n."""
    return curve.axis == "points" and curve.cost == "step"


def _panel(ax: Axes, mine: Sequence[Curve]) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
    for which in (ax.yaxis.set_major_formatter, ax.yaxis.set_minor_formatter, ax.xaxis.set_major_formatter):
        which("{x:,g}")
    ax.tick_params(which="minor", labelsize=7.5)
    ends: dict[str, tuple[float, str]] = {}
    for curve in mine:
        values = np.maximum(np.array(curve.values), 0.1) if curve.is_memory else 1e3 * np.array(curve.values)
        dashes = DASHED if curve.cost.startswith("predict") else "-"
        colour = METHOD_COLOURS[curve.method]
        ax.plot(curve.at, values, marker="o", markersize=3.5, linewidth=1.5, color=colour, linestyle=dashes)
        if not curve.too_little:
            ends[f"{curve.last_exponent:.2f}\n{curve.method}{curve.cost}"] = float(values[-1]), colour
    if mine:
        last = mine[0].at[-1]
        ax.set_xlim(right=last * (last / mine[0].at[0]) ** 0.22)  # room for the exponents
        _label(ax, last, ends)


def _label(ax: Axes, x: float, ends: Mapping[str, tuple[float, str]]) -> None:
    """Exponents beside the ends of their lines, pushed apart where they would overlap."""
    low, high = np.log(ax.get_ylim())
    apart, below = 0.055 * (high - low), -np.inf
    for text, (y, colour) in sorted(ends.items(), key=lambda item: item[1][0]):
        below = max(float(np.log(y)), below + apart)
        place = (x, float(np.exp(below)))
        ax.annotate(
            text.partition("\n")[0], place, (6, 0), textcoords="offset points", va="center", color=colour, fontsize=8
        )


def _handles(found: Sequence[Curve]) -> list[Line2D]:
    methods = dict.fromkeys(curve.method for curve in found)
    lines = [
        Line2D([], [], color=METHOD_COLOURS[name], marker="o", markersize=3.5, label=METHOD_TITLES[name])
        for name in methods
    ]
    lines.append(Line2D([], [], color=INK, label="training: a step (over n: an epoch)"))
    lines.append(Line2D([], [], color=INK, linestyle=DASHED, label="prediction (20 draws where it draws)"))
    return lines
