"""From raw to calibrated: an arrow for each method in the plane of ECE and WS."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from wdrop.report.calibrations.means import Place, complete
from wdrop.report.calibrations.rows import datasets_in, floors, methods_in
from wdrop.report.figures import INK, METHOD_COLOURS, METHOD_TITLES, MUTED, TRUTH, look

_TICKS = (1.0, 2.0, 3.0, 5.0)


def arrows_figure(places: Sequence[Place], way: str) -> Figure:
    """A panel for each place: arrows from raw to `way`, means over data sets; the star is a perfect forecaster."""
    with look():
        figure = Figure(figsize=(4.6 * len(places), 4.4), layout="constrained")
        methods: list[str] = []
        for ax, place in zip(figure.subplots(1, len(places), squeeze=False)[0], places, strict=True):
            pairs = raw_and_calibrated(place, way)
            _panel(ax, place, pairs)
            methods += [name for name in methods_in(pairs) if name not in methods]
        figure.legend(handles=_handles(methods), loc="outside lower center", ncols=4)
    return figure


def raw_and_calibrated(place: Place, way: str) -> pd.DataFrame:
    """ECE and WS, raw and under the way, of methods and data sets that have both and compare."""
    before = place.under("raw")[["ece", "ws"]].add_suffix("_raw")
    both = before.join(place.under(way)[["ece", "ws"]], how="inner")
    return complete(both)[0]


def _panel(ax: Axes, place: Place, pairs: pd.DataFrame) -> None:
    datasets = datasets_in(pairs)
    ax.set_title(f"{place.title}, mean over {len(datasets)} data sets")
    if pairs.empty:
        ax.set_axis_off()
        return
    for method, row in pairs.groupby(level="method").mean().iterrows():
        colour = METHOD_COLOURS.get(str(method), MUTED)
        start, end = (row["ece_raw"], row["ws_raw"]), (row["ece"], row["ws"])
        shape: dict[str, Any] = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8, "shrinkA": 4, "shrinkB": 4}
        ax.annotate("", xy=end, xytext=start, arrowprops=shape, zorder=3)
        ax.plot(*start, "o", markersize=6, markerfacecolor="white", markeredgecolor=colour, zorder=4)
        ax.plot(*end, "o", markersize=7, color=colour, zorder=4)
    ideal = floors(place.rows, datasets, ("ece", "ws"))
    ax.plot(ideal["ece"], ideal["ws"], "*", markersize=14, color=TRUTH, zorder=5)
    for axis, name in ((ax.xaxis, "ECE"), (ax.yaxis, "WS")):
        axis.set_label_text(name)
    _log(ax)


def _log(ax: Axes) -> None:
    """Both axes by factors, ticks as plain numbers: a raw WS can be thirty times a calibrated one."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(subs=_TICKS))
        axis.set_major_formatter(ScalarFormatter())
        axis.set_minor_formatter(NullFormatter())
    ax.grid(color="#e9ecef", linewidth=0.7, zorder=0)


def _handles(methods: Sequence[str]) -> list[Line2D]:
    named = [
        Line2D([], [], color=METHOD_COLOURS.get(name, MUTED), linewidth=1.8, label=METHOD_TITLES.get(name, name))
        for name in methods
    ]
    return [
        *named,
        Line2D([], [], linestyle="", marker="o", markerfacecolor="white", markeredgecolor=INK, label="raw"),
        Line2D([], [], linestyle="", marker="o", color=INK, label="calibrated"),
        Line2D([], [], linestyle="", marker="*", markersize=11, color=TRUTH, label="perfect forecaster"),
    ]
