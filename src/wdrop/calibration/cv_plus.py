from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, final

import torch
from torch import Tensor

from wdrop._checks import same_shape
from wdrop.calibration.conformal import ONE_STD, shares_below
from wdrop.calibration.interval import Interval, checked_level
from wdrop.calibration.residuals import residuals
from wdrop.prediction import Prediction

_NUMBERS_AT_ONCE = 2**23
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class CVPlus:
    """Intervals out of cross-validation, which holds no points back and yet guarantees.

    Barber, Candès, Ramdas, Tibshirani 2021, "Predictive inference with the jackknife+", with the score of `Conformal`.
    Each training point i has the score s = |y - mean| / std under the predictor k of the fold that had not seen it.
    At a new x that pair says "y lies within mean_k(x) ± s std_k(x)". The interval reaches from the ⌊(n + 1) α⌋-th
    smallest lower end to the ⌈(n + 1) (1 - α)⌉-th smallest upper one, α = 1 - level.

    Guaranteed, for exchangeable points: y lies inside with a probability of at least 1 - 2α, less √(2/n) at worst for
    few folds; so 0.8 at level 0.9. In practice it is near `level`. There is no upper bound.

    A new x costs n log n: on large tables, where splitting costs nothing, take `Conformal`.

    scores  (n, d)
    folds   (n,), the number of the predictor that had not seen the point
    weight  (n, d)
    """

    scores: Tensor
    folds: Tensor
    weight: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, folds: Tensor, weight: Tensor | None = None) -> Self:
        """From what each point's own predictor said of it."""
        z, weight = residuals(prediction, y, weight)
        if folds.shape != y.shape[:1]:
            raise ValueError(f"expected a fold for each of {len(y)} points, got shape {tuple(folds.shape)}")
        return cls(z.abs(), folds, weight)

    def interval(self, predictions: Sequence[Prediction], level: float = 0.9) -> Interval:
        """The interval at new points, of which each fold's predictor has said its own."""
        wanted = checked_level(level)
        n_folds = int(self.folds.max()) + 1
        if len(predictions) < n_folds:
            raise ValueError(f"expected a prediction from each of {n_folds} folds, got {len(predictions)}")
        mean, std = (torch.stack([getattr(p, part) for p in predictions]) for part in ("mean", "std"))
        same_shape(mean=mean, std=std)
        ends = [self._ends(mean[..., j], std[..., j], j, wanted) for j in range(mean.shape[2])]
        lower, upper = (torch.stack(columns, 1).to(mean) for columns in zip(*ends, strict=True))
        return Interval(lower, upper)

    def apply(self, predictions: Sequence[Prediction]) -> Prediction:
        """Mean and std as middle and half width of the interval at 68.27 %, which is one std of a Gaussian."""
        lower, upper = self.interval(predictions, ONE_STD)
        if lower.isinf().any() or upper.isinf().any():
            raise ValueError(f"expected at least 3 finite scores for each target to give a std, got {len(self.scores)}")
        return Prediction((lower + upper) / 2, (upper - lower) / 2)

    def state(self) -> dict[str, Tensor]:
        """All there is to save."""
        return {"scores": self.scores, "folds": self.folds, "weight": self.weight}

    @classmethod
    def from_state(cls, state: Mapping[str, Tensor]) -> Self:
        """The intervals that were saved."""
        return cls(**state)

    def _ends(self, mean: Tensor, std: Tensor, target: int, level: float) -> tuple[Tensor, Tensor]:
        """Both ends for one target; mean and std (folds, n)."""
        kept = self.weight[:, target] > 0
        score, weight, fold = self.scores[kept, target], self.weight[kept, target], self.folds[kept]
        rows = max(1, _NUMBERS_AT_ONCE // len(score))
        lower, upper = [], []
        for m, s in zip(mean.double().cpu().split(rows, 1), std.double().cpu().split(rows, 1), strict=True):
            middle, reach = m[fold].T, torch.where(score.isinf(), score, score * s[fold].T)
            lower.append(-_reached(reach - middle, weight, level))
            upper.append(_reached(middle + reach, weight, level))
        return torch.cat(lower), torch.cat(upper)


def _reached(ends: Tensor, weight: Tensor, level: float) -> Tensor:
    """The least end in each row below which lies that share of the weight: (rows, n) → (rows,)."""
    ends, order = ends.sort(1)
    places = (shares_below(weight[order], 1) < level - _ROUNDING).sum(1, keepdim=True)
    padded = torch.cat([ends, torch.full_like(ends[:, :1], torch.inf)], 1)
    return padded.gather(1, places).squeeze(1)
