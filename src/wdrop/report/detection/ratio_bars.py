"""The comparison with MC-SqueezeDet in one figure."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.report.detection.comparisons import BASELINE, published_ratio, ratio, ratio_range
from wdrop.report.detection.rows import (
    HEADINGS,
    PUBLISHED_PROTOCOL,
    UNCERTAINTY,
    Contestant,
    contestants,
    in_data,
    judged,
    of,
)
from wdrop.report.figures import INK, look

TITLES = {PUBLISHED_PROTOCOL: "draws and k-means, as published", "closed_form": "one pass, exact std"}
_HATCHES = ("", "///", "...", "xxx")


def ratios_figure(records: pd.DataFrame, dataset: str) -> Figure | None:
    """A panel for each way to find boxes: bars of the scores over MC's, the range over seeds, the paper's ratio.

    Rings: the same ratio after one factor a coordinate for both, but for the NLL, of which only differences mean
    something once the stds are of the right size.
    """
    panels = {protocol: in_data(judged(records, protocol=protocol), dataset) for protocol in TITLES}
    others = {
        protocol: [one for one in contestants(rows) if one != BASELINE]
        for protocol, rows in panels.items()
        if len(of(rows, BASELINE))
    }
    others = {protocol: found for protocol, found in others.items() if found}
    if not others:
        return None
    with look():
        figure = Figure(figsize=(5.4 * len(others), 3.9), layout="constrained")
        axes = figure.subplots(1, len(others), sharey=True, squeeze=False)[0]
        for ax, (protocol, found) in zip(axes, others.items(), strict=True):
            _panel(ax, panels[protocol], found, dataset if protocol == PUBLISHED_PROTOCOL else "")
            ax.set_title(TITLES[protocol])
        axes[0].set_ylabel("score over MC's (smaller is better)")
        named = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
        order = sorted(named, key=lambda label: label not in {one.label for found in others.values() for one in found})
        figure.legend([named[label] for label in order], order, loc="outside lower center", ncols=len(order))
    return figure


def _panel(ax: Axes, rows: pd.DataFrame, others: Sequence[Contestant], dataset: str) -> None:
    width = 0.8 / len(others)
    for place, one in enumerate(others):
        left = [i + (place - (len(others) - 1) / 2) * width for i in range(len(UNCERTAINTY))]
        heights = [ratio(rows, one, name) for name in UNCERTAINTY]
        ax.bar(
            left, heights, width, color=one.colour, alpha=0.55 if one.variant else 0.9, edgecolor="white",
            hatch=_HATCHES[place % len(_HATCHES)], label=one.label,
        )  # fmt: skip
        for x, name in zip(left, UNCERTAINTY, strict=True):
            ends = ratio_range(rows, one, name)
            if ends:
                ax.plot([x, x], ends, color=INK, lw=1.2)
            theirs = published_ratio(one, dataset, name) if dataset else None
            if theirs is not None:
                ax.plot(
                    [x - width / 2, x + width / 2],
                    [theirs] * 2,
                    color="black",
                    lw=2.5,
                    solid_capstyle="butt",
                    label="the paper, W",
                )
            if name != "nll":
                after = ratio(rows, one, f"{name}_scaled")
                ax.plot(x, after, "o", color=INK, mfc="white", ms=5, label="after one factor a coordinate")
    ax.axhline(1, color=INK, lw=1, ls="--")
    ax.text(-0.5, 1.01, "MC", fontsize=8, va="bottom")
    ax.set_xticks(range(len(UNCERTAINTY)), [HEADINGS[name] for name in UNCERTAINTY])
    ax.set_ylim(bottom=0)
