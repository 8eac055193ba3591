"""Scores along the training of detectors."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from wdrop.report.detection.rows import contestants, of
from wdrop.report.figures import look, png, spans_magnitudes
from wdrop.report.page import write_whole

PANELS = MappingProxyType(
    {
        "recall": "recall", "rmse": "RMSE in pixels", "miou": "mean IoU", "std": "mean std in pixels", "nll": "NLL",
        "ece": "ECE", "ws": "WS", "etl": "ETL",
    }
)  # fmt: skip


def trajectories_figure(rows: pd.DataFrame) -> Figure | None:
    """Eight panels over the steps: a thin line a seed, a thick one for their mean.

    rows  one for each look: method, variant, seed, step and the scores
    """
    if rows.empty:
        return None
    with look():
        figure = Figure(figsize=(13, 5.6), layout="constrained")
        axes = figure.subplots(2, 4, sharex=True)
        for ax, (measure, title) in zip(axes.flat, PANELS.items(), strict=True):
            is_log = _panel(ax, rows, measure)
            ax.set_title(f"{title} (log)" if is_log else title)
        for ax in axes[-1]:
            ax.set_xlabel("steps")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def write_trajectory(path: Path, method: str, steps: Mapping[int, Mapping[str, float]]) -> None:
    """The figure of one training, from its scores by step, as a PNG file."""
    rows = pd.DataFrame(
        [{"method": method, "variant": "", "seed": 0, "step": step, **row} for step, row in steps.items()]
    )
    figure = trajectories_figure(rows)
    if figure is not None:
        write_whole(path, png(figure))


def _panel(ax: Axes, rows: pd.DataFrame, measure: str) -> bool:
    """Draw it; whether its scale is logarithmic."""
    for one in contestants(rows):
        own = of(rows, one)
        line, marker = one.style
        for _, single in own.groupby("seed"):
            single = single.sort_values("step")
            ax.plot(single["step"], single[measure], color=one.colour, lw=0.7, alpha=0.45)
        average = own.groupby("step")[measure].mean()
        every = max(1, len(average) // 5)
        ax.plot(
            average.index, average, line, color=one.colour, lw=2, marker=marker, ms=5, markevery=every, label=one.label
        )
    low, high = rows[measure].min(), rows[measure].max()
    is_log = spans_magnitudes(low, high)  # a fresh network is off by orders of magnitude
    if is_log:
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.yaxis.set_minor_locator(NullLocator())
    return is_log
