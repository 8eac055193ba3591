"""Coverage against width of the 90 % interval, every dot a method in one form."""

from collections.abc import Sequence

import numpy as np

from wdrop.report.comparison.contestant import Contestant
from wdrop.report.scatter import Axis, Dot, Scatter

_LEVEL = 0.9


def honest_and_narrow(contestants: Sequence[Contestant]) -> Scatter:
    """The dots, over a line at 90 %; methods are groups, so that both forms of one are switched together."""
    ordered = sorted(contestants, key=lambda one: one.variant == "raw")  # a group takes the colour of its first dot
    ordered.sort(key=lambda one: -min(other.score("crps") for other in contestants if other.method == one.method))
    widths = np.array([one.score("width") for one in ordered])
    covers = np.array([one.score("coverage") for one in ordered])
    right = min(float(widths.max()), 4 * float(np.median(widths))) * 1.08
    low = max(0.0, min(float(covers.min()) - 0.05, 0.8))
    dots = [
        Dot(float(width), float(cover), one.title, _colour(one), _text(one))
        for one, width, cover in zip(ordered, widths, covers, strict=True)
    ]
    return Scatter(
        "Share of values within the 90 % interval, and its mean width",
        Axis("mean width of the 90 % interval", 0.0, right),
        Axis("share of values inside", low, 1.02),
        dots,
        [[(0.0, _LEVEL), (right, _LEVEL)]],
        "The line is at 90 %, what was promised. Pale dots are raw, full ones calibrated.",
    )


def _colour(one: Contestant) -> str:
    """The method's own, pale if it is raw."""
    if one.variant == "calibrated":
        return one.colour
    return "#" + "".join(f"{(int(one.colour[i : i + 2], 16) + 255) // 2:02x}" for i in (1, 3, 5))


def _text(one: Contestant) -> str:
    return (
        f"{one.name}\nholds {100 * one.score('coverage'):.1f} %\nwidth {one.score('width'):.3g}\n"
        f"CRPS {one.score('crps'):.3g}, RMSE {one.score('rmse'):.3g}"
    )
