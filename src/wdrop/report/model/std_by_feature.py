"""Std against the features that it depends on most."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.report.figures import DATA, look
from wdrop.report.model.forecasts import Array, Forecasts

N_TOP = 6
_MOST_BINS = 12
_ROWS_IN_BIN = 15  # of fewer the root mean square says little
_MOST_DOTS = 2000
_ERROR, _STD = "#1f2933", "#d9480f"


class Bin(NamedTuple):
    """Rows with similar values of a feature: the middle, and which they are."""

    middle: float
    rows: Array


def bins_of(values: Array) -> list[Bin]:
    """A bin for each value if there are few, else up to a dozen with equally many rows."""
    distinct = np.unique(values)
    n_bins = min(_MOST_BINS, max(3, len(values) // _ROWS_IN_BIN))
    if len(distinct) <= n_bins:
        return [Bin(float(value), np.flatnonzero(values == value)) for value in distinct]
    edges = np.unique(np.quantile(values, np.linspace(0, 1, n_bins + 1)))
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    groups = [np.flatnonzero(places == k) for k in range(len(edges) - 1)]
    return [Bin(float(np.median(values[rows])), rows) for rows in groups if len(rows)]


def explained(feature: Array, std: Array) -> float:
    """The share of the variance of log std that lies between the bins of a feature, what chance gives taken off."""
    logs = np.log(np.maximum(std, 1e-12 * max(float(std.max()), 1e-300)))
    total = float(logs.var()) * len(logs)
    groups = bins_of(feature)
    if total == 0 or len(groups) < 2 or len(logs) <= len(groups):
        return 0.0
    within = sum(float(logs[rows].var()) * len(rows) for _, rows in groups)
    return 1 - (within / (len(logs) - len(groups))) / (total / (len(logs) - 1))


def top_features(forecasts: Forecasts, n: int = N_TOP) -> list[int]:
    """The columns that explain most of std, best first; constant ones never."""
    shares = [explained(column, forecasts.std) for column in forecasts.x.T]
    varied = [j for j, column in enumerate(forecasts.x.T) if column.min() < column.max()]
    return sorted(varied, key=lambda j: -shares[j])[:n]


def std_by_feature_figure(forecasts: Forecasts) -> Figure | None:
    """A panel for each of the top features: std of the rows, its mean, and the error made; None without features."""
    chosen = top_features(forecasts)
    if not chosen:
        return None
    n_columns = min(3, len(chosen))
    n_rows = -(-len(chosen) // n_columns)
    with look():
        figure = Figure(figsize=(3.2 * n_columns, 2.6 * n_rows + 0.4), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.1)  # type: ignore[call-arg, union-attr]  # lest titles touch labels
        grid = figure.subplots(n_rows, n_columns, squeeze=False, sharey=True)
        tops = [_panel(ax, forecasts, j) for ax, j in zip(grid.flat, chosen, strict=False)]
        grid[0, 0].set_ylim(0, 1.1 * max(tops) or 1.0)
        for ax in grid.flat[len(chosen) :]:
            ax.set_axis_off()
        for ax in grid[:, 0]:
            ax.set_ylabel("std")
        handles, labels = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def _panel(ax: Axes, forecasts: Forecasts, j: int) -> float:
    """Draw one feature; the height that shows its lines and nearly all of its dots comes back."""
    values, std, seen = forecasts.x[:, j], forecasts.std, forecasts.observed
    some = np.linspace(0, len(std) - 1, min(len(std), _MOST_DOTS)).astype(int)
    ax.plot(
        values[some], std[some], "o", color=DATA, markersize=2.5, markeredgewidth=0, rasterized=True,
        alpha=0.5 if len(some) < 500 else 0.25, label="a row",
    )  # fmt: skip
    groups = bins_of(values)
    middles = [group.middle for group in groups]
    ax.plot(middles, [_root_mean_square(std[group.rows]) for group in groups], color=_STD, linewidth=2, label="std")
    errors: list[float] = []
    if seen is not None:
        groups = [group for group in bins_of(seen.x[:, j]) if len(group.rows) >= 5]
        errors = [_root_mean_square(seen.residual[group.rows]) for group in groups]
        ax.plot(
            [group.middle for group in groups], errors, "--o", color=_ERROR, linewidth=1.2, markersize=3,
            label="error made (root mean square)",
        )  # fmt: skip
    ax.set_title(_short(forecasts.features[j]), fontsize=9)
    ax.set_xlabel(f"explains {100 * max(0.0, explained(values, std)):.0f} % of log std", fontsize=8)
    ax.tick_params(labelsize=7)
    ax.locator_params(axis="x", nbins=5)
    return max([float(np.quantile(std, 0.995)), *errors])


def _short(name: str) -> str:
    return name if len(name) <= 32 else name[:30] + "…"


def _root_mean_square(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))
