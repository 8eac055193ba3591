from collections.abc import Mapping
from dataclasses import dataclass
from math import erf, exp, pi, sqrt
from typing import Self, final

import torch
from torch import Tensor

from wdrop.calibration.calibration import Calibration, rescaled, scale_facts
from wdrop.calibration.residuals import residuals, weighted_mean
from wdrop.prediction import Prediction

_LIMIT = 2.5  # 15 of 100 residuals may be infinite; smaller limits bear more and see less of the tails
_N_HALVINGS = 100


@final
@dataclass(frozen=True, eq=False)
class RobustScale(Calibration):
    """One factor s on std for each target, whatever the wildest residuals are: mean min(z²/s², c²) = E min(g², c²).

    g ~ N(0, 1), c = 2.5. Huber's proposal 2 for a scale: a point beyond c s counts as if it lay there. For Gaussian
    residuals s is their std, as with `Scale`; of other residuals it sees the bulk. Mean stays.
    """

    scale: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        return cls(robust_scale(prediction, y, weight))

    def apply(self, prediction: Prediction) -> Prediction:
        return rescaled(prediction, self.scale)

    @property
    def facts(self) -> Mapping[str, float]:
        return scale_facts(self.scale)


def robust_scale(prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Tensor:
    """The s of each target, by bisection in log s, as the mean falls where s grows: (d,)."""
    z, weight = residuals(prediction, y, weight)
    size = z.abs()
    wanted = clipped_square(_LIMIT)
    if (weighted_mean(size.isinf().double(), weight) * _LIMIT**2 >= wanted).any():
        raise ValueError(
            "expected some std above zero to calibrate, got a target with few or none; is the network dead?"
        )
    off = size[size.isfinite() & (size > 0)].log()
    low = torch.full(size.shape[1:], float(off.min()) - 1 if len(off) else 0.0, dtype=torch.float64)
    high = torch.full_like(low, float(off.max()) + 10 if len(off) else 0.0)
    for _ in range(_N_HALVINGS):
        middle = (low + high) / 2
        too_small = weighted_mean((size / middle.exp()).clamp_max(_LIMIT).square(), weight) > wanted
        low, high = middle.where(too_small, low), high.where(too_small, middle)
    # Where most residuals are zero no s fits, and the prediction's own std is left as it is.
    return high.exp().where(weighted_mean((size > 0).double(), weight) * _LIMIT**2 > wanted, 1.0)


def clipped_square(limit: float) -> float:
    """E min(g², limit²) for g ~ N(0, 1)."""
    inside = erf(limit / sqrt(2))
    return inside - 2 * limit * exp(-(limit**2) / 2) / sqrt(2 * pi) + limit**2 * (1 - inside)
