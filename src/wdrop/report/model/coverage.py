"""How many values each central interval holds, against how many it should."""

import numpy as np
from matplotlib.axes import Axes
from scipy.special import ndtri
from scipy.stats import binom

from wdrop.report.figures import INK
from wdrop.report.model.forecasts import Array, Forecasts
from wdrop.report.tables import Cell, Table

LEVELS = (0.5, 0.6827, 0.8, 0.9, 0.95, 0.99)
GOOD, POOR = "#2b8a3e", "#d9480f"


def coverages(z: Array) -> list[float]:
    """The share of residuals, in units of std, within the central interval of each level."""
    return [float(np.mean(np.abs(z) <= ndtri((1 + level) / 2))) for level in LEVELS]


def draw_coverage(ax: Axes, z: Array) -> None:
    """A row for each level: the gray bar is where a perfect forecaster's share would be, the dot is this model's."""
    found = coverages(z)
    for place, (level, share) in enumerate(zip(LEVELS, found, strict=True)):
        low, high = _chance(level, len(z))
        colour = GOOD if low <= share <= high else POOR
        ax.plot([low, high], [place, place], color="#dbe4ee", linewidth=10, solid_capstyle="round", zorder=1)
        ax.plot([level, level], [place - 0.28, place + 0.28], color=INK, linewidth=1.2, zorder=2)
        ax.plot([level, share], [place, place], color=colour, linewidth=2, zorder=3)
        ax.plot(share, place, "o", color=colour, markersize=7, zorder=4)
        ax.text(share, place + 0.32, f"{100 * share:.3g} %", color=colour, fontsize=7.5, ha="center", zorder=5)
    ax.set_yticks(range(len(LEVELS)), [f"{100 * level:.3g} %" for level in LEVELS])
    ax.set_ylim(-0.5, len(LEVELS) - 0.3)
    ax.set_xlim(min(0.35, min(found) - 0.05), 1.03)
    ax.xaxis.set_major_formatter("{x:.0%}")
    ax.set_xlabel("share of the values inside")
    ax.set_ylabel("central interval")
    ax.set_axisbelow(True)
    ax.grid(axis="x", color="#edf0f2")
    ax.tick_params(axis="y", length=0)


def coverage_table(forecasts: Forecasts) -> Table:
    """Level, share found, and the mean width of the interval."""
    rows: list[list[str | Cell]] = []
    for level, share in zip(LEVELS, coverages(forecasts.z), strict=True):
        width = 2 * float(ndtri((1 + level) / 2)) * float(forecasts.std.mean())
        rows.append([f"{100 * level:.3g} %", Cell(100 * share), Cell(width)])
    return Table("Coverage by level", ["interval", "holds, % of rows", "mean width"], rows)


def _chance(level: float, n: int) -> tuple[float, float]:
    return float(binom.ppf(0.05, n, level)) / n, float(binom.ppf(0.95, n, level)) / n
