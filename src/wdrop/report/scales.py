"""How large std becomes: against the true std of a noisy line, and against the number of draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from matplotlib.figure import Figure

from wdrop.losses.optimum import optimal_std
from wdrop.report.figures import INK, METHOD_COLOURS, MUTED, look


@final
@dataclass(frozen=True)
class Spread:
    """The predicted std over the inputs of one data set: mean, median, 10 and 90 % quantile, at the true one."""

    true: float
    mean: float
    median: float
    low: float
    high: float


def noisy_line_figure(spreads: Sequence[Spread]) -> Figure:
    """Predicted std over true std, with 10 and 90 % whiskers, against the bisector."""
    with look():
        figure = Figure(figsize=(5.6, 4.2), layout="constrained")
        ax = figure.subplots()
        # evenly spaced places: the true values span two orders of magnitude and include 0
        for place, spread in enumerate(spreads):
            ax.vlines(place, spread.low, spread.high, color=INK, linewidth=1.2, zorder=2)
            ax.hlines([spread.low, spread.high], place - 0.12, place + 0.12, color=INK, linewidth=1.2, zorder=2)
            ax.hlines(spread.median, place - 0.22, place + 0.22, color="#f08c00", linewidth=2.2, zorder=3)
            ax.hlines(spread.true, place - 0.4, place + 0.4, color=MUTED, linewidth=5, alpha=0.45, zorder=1)
        places = range(len(spreads))
        ax.plot(places, [spread.mean for spread in spreads], "x", color="#1c7ed6", markersize=8, zorder=4, label="mean")
        ax.plot([], [], color="#f08c00", linewidth=2.2, label="median")
        ax.plot([], [], color=MUTED, linewidth=5, alpha=0.45, label="true std (the bisector)")
        ax.plot([], [], color=INK, linewidth=1.2, label="10 % to 90 % over x")
        ax.set_yscale("symlog", linthresh=0.1)
        ax.set_ylim(bottom=0)
        ax.set_xticks(list(places), [f"{spread.true:g}" for spread in spreads])
        ticks = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10]
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.set_xlabel("true std of the noisy line")
        ax.set_ylabel("std of Wasserstein dropout")
        ax.legend(loc="upper left")
    return figure


def scale_figure(spreads: Sequence[tuple[int, Spread]]) -> Figure:
    """Predicted over true std against L, measured with networks, on the curve where the loss has its optimum."""
    with look():
        figure = Figure(figsize=(5.6, 3.8), layout="constrained")
        ax = figure.subplots()
        draws = np.arange(2, max(n for n, _ in spreads) + 1)
        ax.plot(draws, [optimal_std(int(n)) for n in draws], color=MUTED, linewidth=1.6, label="optimum of the loss")
        ax.axhline(1, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
        n_draws = [n for n, _ in spreads]
        means = np.array([spread.mean / spread.true for _, spread in spreads])
        bars = [
            [spread.mean / spread.true - spread.low / spread.true for _, spread in spreads],
            [spread.high / spread.true - spread.mean / spread.true for _, spread in spreads],
        ]
        ax.errorbar(
            n_draws, means, yerr=bars, fmt="o", color=METHOD_COLOURS["w_dropout"], markersize=5, linewidth=1.2,
            label="networks, with 10 % to 90 % over x",
        )  # fmt: skip
        ax.set_xlabel("draws L per training step")
        ax.set_ylabel("predicted over true std")
        ax.set_ylim(bottom=0)
        ax.legend(loc="lower right")
    return figure
