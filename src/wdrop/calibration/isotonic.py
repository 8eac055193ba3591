from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, final

import numpy as np
import torch
from torch import Tensor

from wdrop.calibration.calibration import Calibration, rescaled
from wdrop.calibration.interval import checked_levels, stretched
from wdrop.calibration.residuals import mendable_residuals, weighted_mean
from wdrop.prediction import Prediction

_MOST_KNOTS = 1000  # finer than any table of residuals can tell


@final
@dataclass(frozen=True, eq=False)
class Isotonic(Calibration):
    """The forecast takes the shape that the residuals had: y is distributed as mean + std z, z one of theirs.

    Kuleshov, Fenner, Ermon 2018. They fit by isotonic regression how often y fell below each quantile; at points of
    which no two residuals are equal, that is the distribution of z = (y - mean) / std itself. Quantiles are those
    of z, straight between neighbours; beyond the outermost they go on as those of a Gaussian with the std of z.

    mean       becomes mean + std × mean of z
    std        becomes std × std of z, around that new mean
    quantiles  mean + std × quantiles of z, in general neither Gaussian nor symmetric

    levels      (k,)
    z           (k, d), the quantiles of z at these levels
    z_mean      (d,)
    z_std       (d,)
    """

    levels: Tensor
    z: Tensor
    z_mean: Tensor
    z_std: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        z, weight = mendable_residuals(prediction, y, weight)
        mean = weighted_mean(z, weight)
        std = weighted_mean((z - mean).square(), weight).sqrt()
        n_knots = min(len(z), _MOST_KNOTS)
        levels = (torch.arange(n_knots, dtype=torch.float64) + 0.5) / n_knots
        columns = [_quantiles_at(levels, z[:, j], weight[:, j]) for j in range(z.shape[1])]
        return cls(levels, torch.stack(columns, 1), mean, std)

    def apply(self, prediction: Prediction) -> Prediction:
        shift = prediction.std * self.z_mean.to(prediction.std)
        return rescaled(prediction, self.z_std, shift)

    def quantiles(self, prediction: Prediction, levels: Sequence[float]) -> Tensor:
        return stretched(prediction, self._z_at(checked_levels(levels)))

    def _z_at(self, levels: Tensor) -> Tensor:
        """Quantiles of z: (q,) → (q, d)."""
        columns = [_interpolated(levels, self.levels, column) for column in self.z.T]
        # Beyond the outermost residual: as far on as a Gaussian goes from that level to this.
        normal, ends = torch.special.ndtri(levels), torch.special.ndtri(self.levels[[0, -1]])
        beyond = (normal - ends[0]).clamp_max(0) + (normal - ends[1]).clamp_min(0)
        return torch.stack(columns, 1) + beyond.unsqueeze(1) * self.z_std


def _quantiles_at(levels: Tensor, z: Tensor, weight: Tensor) -> Tensor:
    """Quantiles of one column of weighted residuals, each of which stands in the middle of its own weight."""
    z, order = z[weight > 0].sort()
    share = weight[weight > 0][order] / weight.sum()
    return _interpolated(levels, share.cumsum(0) - share / 2, z)


def _interpolated(at: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return torch.from_numpy(np.interp(at.numpy(), x.numpy(), y.numpy()))
