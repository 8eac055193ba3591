"""Whether to believe a model's std, in plain words with the numbers behind them."""

from dataclasses import dataclass
from math import sqrt
from typing import final

import numpy as np
from scipy.stats import binom

from wdrop.measures import coverage
from wdrop.report.model.forecasts import Forecasts

_SHARE_WITHIN_ONE = 0.6827
_DENSITY_AT_ONE = 0.4839  # of |z| at 1, for z ~ N(0, 1)
_BEYOND_THREE = 0.0027
_LEAST = 0.05  # a std that is 5 % off is none to speak of
_LEVEL = 0.9
_ENOUGH = 50  # rows, to compare a fifth with a fifth
_TELLING = 1.3


@final
@dataclass(frozen=True)
class Findings:
    """What the residuals say of std.

    factor       what std would have to be multiplied by, so that 68.3 % of the residuals lie within it
    doubt        two standard errors of log factor: what n points of a perfect forecaster leave open
    coverage     share of the rows within the 90 % interval
    n_far        rows further than 3 std off; `n_far_expected` of a perfect forecaster, at most `n_far_limit`
    shift        mean residual over the root mean square of all residuals
    """

    n: int
    factor: float
    doubt: float
    coverage: float
    n_far: int
    n_far_limit: int
    shift: float

    @classmethod
    def of(cls, forecasts: Forecasts) -> "Findings":
        n, z = len(forecasts), np.abs(forecasts.z)
        rms = float(np.sqrt(np.mean(forecasts.residual**2))) or 1.0
        return cls(
            n=n,
            factor=max(float(np.quantile(z, _SHARE_WITHIN_ONE)), 1e-6),
            doubt=2 * sqrt(_SHARE_WITHIN_ONE * (1 - _SHARE_WITHIN_ONE) / n) / _DENSITY_AT_ONE,
            coverage=coverage(forecasts.mean, forecasts.positive_std, forecasts.truth, level=_LEVEL),
            n_far=int((z > 3).sum()),
            n_far_limit=int(binom.ppf(0.999, n, _BEYOND_THREE)),
            shift=float(np.mean(forecasts.residual)) / rms,
        )

    @property
    def is_off(self) -> bool:
        """Whether std is off by more than 5 % and by more than chance explains."""
        return bool(abs(np.log(self.factor)) > max(self.doubt, -np.log(1 - _LEAST)))


CALIBRATE = "refit with calibrate=cross"
"""What to do about a std that is off, if the model was not calibrated."""


def verdict(forecasts: Forecasts, *, advice: str = CALIBRATE) -> str:
    """A few sentences: whether std is too small or too large on these rows, and then `advice`."""
    found = Findings.of(forecasts)
    said = [_of_scale(found, advice)]
    if found.n_far > found.n_far_limit:
        expected = _BEYOND_THREE * found.n
        said.append(f"{found.n_far} of {found.n} rows lie further than 3 std off, {expected:.1f} would be expected.")
    if abs(found.shift) > max(0.1, 3 / sqrt(found.n)):
        side = "high" if found.shift > 0 else "low"
        mean = abs(float(np.mean(forecasts.residual)))
        said.append(f"Predictions of {forecasts.target} are too {side}, by {mean:.3g} on average.")
    return " ".join([*said, remark(forecasts)]).strip()


def remark(forecasts: Forecasts) -> str:
    """Whether std tells hard rows from easy ones, in a sentence; none where there are too few rows to say."""
    if len(forecasts) < _ENOUGH:
        return ""
    contrast = _contrast(forecasts)
    if contrast > _TELLING:
        return f"Std tells hard rows from easy ones: errors are {contrast:.1f} times as large where it is largest."
    return "Std hardly tells hard rows from easy ones: errors are as large where it is small as where it is large."


def _of_scale(found: Findings, advice: str) -> str:
    holds = f"the 90 % intervals hold {100 * found.coverage:.0f} % of the {found.n} rows"
    if not found.is_off:
        return f"Std can be believed on this data: {holds}."
    if found.factor > 1:
        return f"Std is {100 * (1 - 1 / found.factor):.0f} % too small on this data: {advice}; {holds}."
    return f"Std is {100 * (1 / found.factor - 1):.0f} % too large on this data, for most rows: {advice}; {holds}."


def _contrast(forecasts: Forecasts) -> float:
    """Root mean squared error in the fifth with the largest std, over that in the fifth with the smallest."""
    order = np.argsort(forecasts.std, kind="stable")
    part = max(1, len(order) // 5)
    low, high = (float(np.sqrt(np.mean(forecasts.residual[rows] ** 2))) for rows in (order[:part], order[-part:]))
    return high / low if low > 0 else float("inf")
