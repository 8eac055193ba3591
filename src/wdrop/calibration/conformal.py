from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, final

import torch
from torch import Tensor

from wdrop.calibration.calibration import Calibration, rescaled, scale_facts
from wdrop.calibration.interval import checked_levels, stretched
from wdrop.calibration.residuals import residuals
from wdrop.prediction import Prediction

ONE_STD = 0.6826894921370859
"""The share of a Gaussian within one std of its mean."""
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class Conformal(Calibration):
    """Intervals mean ± q std that hold y as often as they say, whatever the noise and however poor the predictor.

    Split conformal prediction (Papadopoulos et al. 2002; Lei et al. 2018) with the score |y - mean| / std. q is the
    k-th smallest of n scores, k = ⌈(n + 1) level⌉, and infinite if k > n. If calibration and new points are
    exchangeable and the predictor has seen neither, the interval holds a new y with a probability from `level` to
    `level` + 1/(n + 1), on average over training, calibration and new points; not at each x, not under shift.

    Weights enter as shares of the scores, a new point counting as much as an average one; the guarantee is for equal
    weights, or zero ones where it does not depend on y that a target is missing.

    mean       stays
    std        half the width of the interval at 68.27 %, which is one std of a Gaussian
    quantiles  the ends of the intervals: symmetric around mean

    scores  (n, d), each column ascending
    shares  (n, d), how much weight lies at or below each score, out of all and a new point's
    """

    scores: Tensor
    shares: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        z, weight = residuals(prediction, y, weight)
        scores, order = z.abs().sort(0)
        return cls(scores, shares_below(weight.gather(0, order), 0))

    def apply(self, prediction: Prediction) -> Prediction:
        return rescaled(prediction, self.one_std())

    def quantiles(self, prediction: Prediction, levels: Sequence[float]) -> Tensor:
        around = 2 * checked_levels(levels) - 1
        reach = self._reach(around.abs())
        return stretched(prediction, torch.where(around.unsqueeze(1) < 0, -reach, reach))

    @property
    def facts(self) -> Mapping[str, float]:
        return scale_facts(self.one_std())

    def one_std(self) -> Tensor:
        """The factor on std of each target, (d,)."""
        reach = self._reach(torch.tensor([ONE_STD], dtype=torch.float64))[0]
        if reach.isinf().any():
            raise ValueError(f"expected at least 3 finite scores for each target to give a std, got {len(self.scores)}")
        return reach

    def _reach(self, levels: Tensor) -> Tensor:
        """How many std intervals at these levels reach: (q,) → (q, d); at level 0 not at all."""
        infinite = torch.full_like(self.scores[:1], torch.inf)
        columns = torch.cat([self.scores, infinite]).T.contiguous()
        wanted = (levels - _ROUNDING).expand(len(columns), -1).contiguous()
        places = torch.searchsorted(self.shares.T.double().contiguous(), wanted)
        return columns.gather(1, places).where(levels > 0, 0.0).T


def shares_below(weight: Tensor, dim: int) -> Tensor:
    """Of sorted points' weights: how much lies up to each, out of all and of a new point of average weight."""
    n = (weight > 0).sum(dim, keepdim=True)
    total = weight.sum(dim, keepdim=True)
    return weight.cumsum(dim) / (total * (n + 1) / n)
