"""Residuals against std, every dot a row that tells what it is."""

import numpy as np

from wdrop.report.benchmark_figures.residuals import Judged, shares
from wdrop.report.model.forecasts import Array, Forecasts
from wdrop.report.scatter import Axis, Dot, Scatter

MOST_DOTS = 1500
_GROUPS = (("within 1 std", "#4dabf7"), ("1 to 3 std off", "#e67700"), ("more than 3 std off", "#c2255c"))


def residuals_scatter(forecasts: Forecasts) -> Scatter:
    """Dots over the lines of 1 and 3 std; of many rows some, but all that lie beyond 3 std up to the limit."""
    right = 1.08 * float(np.abs(forecasts.residual).max()) or 1.0
    top = 1.15 * float(np.quantile(forecasts.std, 0.995)) or 1.0
    right = min(right, 6 * top)  # one wild row does not flatten the others; it is counted as outside
    one, three = shares(Judged(forecasts.mean, forecasts.positive_std, forecasts.truth))
    chosen = _chosen(np.abs(forecasts.z))
    some = f" {len(chosen):,} of {len(forecasts):,} rows are drawn." if len(chosen) < len(forecasts) else ""
    note = (
        f"Above the upper line residuals are within 1 std: {100 * one:.0f} % of the rows, 68.3 % would be right; "
        f"above the lower one within 3 std: {100 * three:.1f} %, 99.7 % would be right.{some}"
    )
    return Scatter(
        f"Residual and std of {forecasts.target}",
        Axis("residual: mean - truth", -right, right),
        Axis("std", 0, top),
        [_dot(forecasts, int(i)) for i in chosen],
        [_wedge(1, right, top), _wedge(3, right, top)],
        note,
    )


def _dot(forecasts: Forecasts, i: int) -> Dot:
    off = abs(float(forecasts.z[i]))
    group, colour = _GROUPS[0 if off <= 1 else 1 if off <= 3 else 2]
    text = (
        f"row {forecasts.rows[i]}\n{forecasts.target} {forecasts.truth[i]:.4g}\n"
        f"forecast {forecasts.mean[i]:.4g} ± {forecasts.std[i]:.3g}\n{off:.1f} std off"
    )
    return Dot(float(forecasts.residual[i]), float(forecasts.std[i]), group, colour, text)


def _chosen(off: Array) -> Array:
    """Rows to draw, in order of |z|, so that each group is named from its first dot on."""
    order = np.argsort(off, kind="stable")
    if len(order) <= MOST_DOTS:
        return order
    far = order[off[order] > 3][-MOST_DOTS // 2 :]
    rest = order[: len(order) - len(far)]
    return np.concatenate([rest[np.linspace(0, len(rest) - 1, MOST_DOTS - len(far)).astype(int)], far])


def _wedge(slope: int, right: float, top: float) -> list[tuple[float, float]]:
    """The line |residual| = slope × std, as far as it stays inside."""
    at = min(right, slope * top)
    return [(-at, at / slope), (0.0, 0.0), (at, at / slope)]
