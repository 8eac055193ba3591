"""How fast costs grow, out of what was measured: exponents and the table of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, nan

import numpy as np

from wdrop.report.tables import Table

MAY_BE_NOISE = 0.15  # an exponent counts as worse if it exceeds its bound by more: a fifth more time for 3.2 times more
TOO_LITTLE_MIB = 32.0  # below, it is the allocator's rounding that grows

TITLES = {
    "step": "a training step",
    "epoch": "an epoch",
    "predict": "a prediction",
    "fit_mib": "memory of the fit",
    "predict_mib": "memory of the prediction",
}


@dataclass(frozen=True)
class Curve:
    """One cost of one method along one axis; `bound` is the exponent that nothing can make unnecessary."""

    axis: str
    method: str
    cost: str
    bound: float
    at: Sequence[float]
    values: Sequence[float]

    @property
    def exponent(self) -> float:
        """The slope of the straight line through all points, both axes in logarithms; NaN where there is too little."""
        if self.too_little:
            return nan
        return float(np.polyfit(np.log(self.at), np.log(np.maximum(self.values, 1e-9)), 1)[0])

    @property
    def last_exponent(self) -> float:
        """The slope between the last two points, where what is constant weighs least."""
        if self.too_little:
            return nan
        (a, b), (x, y) = self.at[-2:], np.maximum(self.values[-2:], 1e-9)
        return log(y / x) / log(b / a)

    @property
    def too_little(self) -> bool:
        return self.is_memory and max(self.values) < TOO_LITTLE_MIB

    @property
    def is_memory(self) -> bool:
        return self.cost.endswith("_mib")

    @property
    def worse_than_it_must(self) -> bool:
        return self.last_exponent > self.bound + MAY_BE_NOISE


def curves(rows: Sequence[Mapping[str, str | float]], axes: Mapping[str, Mapping[str, float]]) -> list[Curve]:
    """Every cost of every method along every axis; `axes` has the bound of each cost along each axis."""
    found = []
    for axis, bounds in axes.items():
        mine = [row for row in rows if row["axis"] == axis]
        for method in dict.fromkeys(str(row["method"]) for row in mine):
            along = sorted((row for row in mine if row["method"] == method), key=lambda row: float(row[axis]))
            at = [float(row[axis]) for row in along]
            for cost, bound in bounds.items():
                found.append(Curve(axis, method, cost, bound, at, [float(row[cost]) for row in along]))
    return found


def table(found: Sequence[Curve]) -> Table:
    """Costs at both ends and their exponents, in the order of the axes."""
    return Table(
        "How cost grows",
        ["over", "method", "cost of", "from", "to", "exponent", "at the upper end", "at most", "verdict"],
        [_row(curve) for curve in found],
        "Exponent 1: twice as many, twice the cost. `at most` is what the arithmetic asks for when nothing is wasted; "
        f"an exponent at the upper end that exceeds it by more than {MAY_BE_NOISE} is called worse. Memory is what "
        f"comes on top of the data, and has no exponent where it stays below {TOO_LITTLE_MIB:.0f} MiB.",
    )


def _row(curve: Curve) -> list[str]:
    first, last = (f"{cost(curve, i)} at {curve.at[i]:,.0f}" for i in (0, -1))
    verdict = "–" if curve.too_little else "worse" if curve.worse_than_it_must else "as it must"
    exponents = ["–" if curve.too_little else f"{value:.2f}" for value in (curve.exponent, curve.last_exponent)]
    return [curve.axis, curve.method, TITLES[curve.cost], first, last, *exponents, f"{curve.bound:g}", verdict]


def cost(curve: Curve, i: int) -> str:
    """A cost with its unit."""
    value = curve.values[i]
    if curve.is_memory:
        return f"{value:.0f} MiB"
    return f"{value:.2f} s" if value >= 1 else f"{1e3 * value:.3g} ms"
