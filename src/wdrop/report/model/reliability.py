"""The reliability diagram: how often values fell below each quantile that was forecast."""

import numpy as np
from matplotlib.axes import Axes
from scipy.special import ndtr
from scipy.stats import binom

from wdrop.report.figures import INK, MUTED
from wdrop.report.model.forecasts import Array

LEVELS = np.linspace(0, 1, 101)
_CHANCE = "#dbe4ee"


def draw_reliability(ax: Axes, z: Array, colour: str, label: str = "this model") -> None:
    """Observed against forecast shares, over the band in which nine of ten perfect forecasters stay at each level.

    z  (n,), residuals in units of std
    """
    low, high = (binom.ppf(q, len(z), LEVELS) / len(z) for q in (0.05, 0.95))
    ax.fill_between(LEVELS, low, high, color=_CHANCE, linewidth=0, label="what chance leaves open (90 %)")
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=(0, (4, 3)), label="honest")
    ax.plot(LEVELS, observed_shares(z), color=colour, linewidth=2, label=label)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")


def name_axes(ax: Axes) -> None:
    """What the two shares are of, and what the corners mean."""
    ax.set_xlabel("forecast: share of values below")
    ax.set_ylabel("observed: share of values below")
    ax.text(0.03, 0.72, "values lower\nthan forecast", color=MUTED, fontsize=7.5, va="top")
    ax.text(0.97, 0.28, "values higher\nthan forecast", color=MUTED, fontsize=7.5, ha="right", va="bottom")
    ax.legend(loc="upper left", fontsize=7.5)


def observed_shares(z: Array, levels: Array = LEVELS) -> Array:
    """The share of the values that lie below each forecast quantile; `levels` itself, if the model is honest."""
    return np.searchsorted(np.sort(ndtr(-z)), levels, side="right") / len(z)
