"""Pictures of a comparison: scores fold by fold, differences to the best, and reliability."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.measures import MEASURES
from wdrop.report.comparison.contestant import JUDGE, VARIANTS, Contestant
from wdrop.report.comparison.recommendation import Recommendation
from wdrop.report.figures import INK, MUTED, look
from wdrop.report.model.reliability import LEVELS, draw_reliability, observed_shares

_RAW = "#adb5bd"


def ranking_figure(contestants: Sequence[Contestant], recommendation: Recommendation) -> Figure:
    """At the left each fold's score as a dot, raw hollow; at the right how much worse than the best, with intervals."""
    methods = _in_order(contestants)
    by_form = {(one.method, one.variant): one for one in contestants}
    with look():
        figure = Figure(figsize=(9.6, 0.42 * len(methods) + 1.5), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1.25, 1))
        for place, method in enumerate(methods):
            for variant, offset in zip(VARIANTS, (-0.17, 0.17), strict=True):
                if (method, variant) in by_form:
                    _draw_folds(left, by_form[method, variant], place + offset)
        titles = {one.method: one.title for one in contestants}
        left.set_yticks(range(len(methods)), [titles[method] for method in methods])
        left.set_ylim(len(methods) - 0.5, -0.5)
        left.set_xlim(*_limits([by_form[key].scores[JUDGE] for key in by_form]))
        left.tick_params(axis="y", length=0)
        left.grid(axis="x", color="#edf0f2")
        left.set_axisbelow(True)
        left.set_xlabel(f"{MEASURES[JUDGE].heading}, a dot a fold; hollow: raw, full: calibrated")
        left.set_title("Scores", loc="left")
        _draw_differences(right, recommendation, methods)
    return figure


def reliability_grid_figure(contestants: Sequence[Contestant]) -> Figure:
    """A small reliability diagram for each method: gray raw, coloured calibrated."""
    methods = _in_order(contestants)
    n_columns = min(5, len(methods))
    n_rows = -(-len(methods) // n_columns)
    with look():
        figure = Figure(figsize=(9.6, (9.6 / max(n_columns, 4) + 0.3) * n_rows), layout="constrained")
        grid = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True, sharey=True)
        for ax, method in zip(grid.flat, methods, strict=False):
            for one in sorted(contestants, key=lambda one: one.variant == "raw"):
                if one.method != method:
                    continue
                z = ((one.mean - one.y) / one.std).ravel()
                if one.variant == "raw":
                    ax.plot(LEVELS, observed_shares(z), color=_RAW, linewidth=1.6)
                else:
                    draw_reliability(ax, z, one.colour)
                ax.set_title(one.title.replace(", ", ",\n"), fontsize=8)
            ax.tick_params(labelsize=7)
        for ax in grid.flat[len(methods) :]:
            ax.set_axis_off()
        figure.supxlabel("forecast share of values below", fontsize=9)
        figure.supylabel("observed", fontsize=9)
    return figure


def _draw_folds(ax: Axes, one: Contestant, place: float) -> None:
    values = one.scores[JUDGE]
    inside = "none" if one.variant == "raw" else one.colour
    ax.plot(
        values, np.full(len(values), place), "o", markersize=4.5, markerfacecolor=inside, markeredgecolor=one.colour,
        alpha=0.6,
    )  # fmt: skip
    mean = float(np.mean(values))
    ax.plot([mean, mean], [place - 0.16, place + 0.16], color=INK, linewidth=1.8)


def _draw_differences(ax: Axes, recommendation: Recommendation, methods: Sequence[str]) -> None:
    ax.axvline(0, color=MUTED, linewidth=0.9)
    reaches = [value for one in recommendation.differences for value in (one.low, one.high) if np.isfinite(value)]
    means = [one.mean for one in recommendation.differences]
    limits = _limits([np.array([0.0, *means, *reaches])], stretch=3)
    for one in recommendation.differences:
        place = methods.index(one.contestant.method)
        low, high = max(one.low, limits[0]), min(one.high, limits[1])
        colour = INK if one.is_clear else MUTED
        ax.plot([low, high], [place, place], color=colour, linewidth=2)
        ax.plot(one.mean, place, "o", color=colour, markersize=6)
    ax.plot(0, methods.index(recommendation.best.method), "D", color=recommendation.best.colour, markersize=7)
    ax.set_xlim(*limits)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("worse by, with 95 % interval; dark: clearly")
    ax.set_title(f"Against {recommendation.best.name}", loc="left", fontsize=9)


def _limits(parts: Sequence[np.ndarray], stretch: float = 2) -> tuple[float, float]:
    """Ends that show all but what lies wildly far to the right: one method that failed does not squeeze the others."""
    values = np.concatenate([part[np.isfinite(part)] for part in parts])
    low, middle, high = (float(np.quantile(values, q)) for q in (0, 0.5, 1))
    high = min(high, middle + stretch * max(middle - low, 1e-12) * 2) if high > middle > low else high
    margin = 0.06 * (high - low) or 1.0
    return low - margin, high + margin


def _in_order(contestants: Sequence[Contestant]) -> list[str]:
    """Methods, the one with the best form first."""
    best: dict[str, float] = {}
    for one in contestants:
        best[one.method] = min(best.get(one.method, float("inf")), one.score(JUDGE))
    return sorted(best, key=lambda method: best[method])
