from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, final

import torch
from torch import Tensor

from wdrop.calibration.calibration import Calibration, rescaled, scale_facts
from wdrop.calibration.residuals import residuals, weighted_mean
from wdrop.prediction import Prediction

_DECADES = 8.0
_N_TRIED = 65
_N_ZOOMS = 6
_ROUNDING = 1e-9  # under equal std noise and scale cannot be told apart: no noise then


@final
@dataclass(frozen=True, eq=False)
class AddedNoise(Calibration):
    """A factor on std, and noise on top that the network did not see: std² becomes (scale std)² + noise².

    Both for each target, chosen for the highest Gaussian likelihood on the residuals. `Scale` is the case of no noise,
    one std for all points the case of noise alone: where std says little about the error, little of it is left. So a
    std of next to nothing is mended, and none of zero remains. Mean stays; the noise counts as aleatoric.

    scale  (d,)
    noise  (d,), in the units of y
    """

    scale: Tensor
    noise: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        return cls(*likeliest_noise(prediction, y, weight))

    def apply(self, prediction: Prediction) -> Prediction:
        return with_noise(prediction, self.scale, self.noise)

    @property
    def facts(self) -> Mapping[str, float]:
        return {**scale_facts(self.scale), **scale_facts(self.noise, "calibration_noise")}


def with_noise(prediction: Prediction, scale: Tensor, noise: Tensor) -> Prediction:
    """The prediction with std² made (scale std)² + noise²; samples spread by the new std."""
    std = prediction.std
    scale, noise = scale.to(std), noise.to(std)
    total = torch.hypot(scale * std, noise)
    samples = rescaled(prediction, torch.where(std > 0, total / std, 1.0)).samples
    if prediction.aleatoric is None or prediction.epistemic is None:
        return Prediction(prediction.mean, total, samples)
    aleatoric = torch.hypot(scale * prediction.aleatoric, noise)
    return Prediction(prediction.mean, total, samples, aleatoric, scale * prediction.epistemic)


def likeliest_noise(prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Scale and noise of each target with the highest Gaussian likelihood on these residuals: two of (d,)."""
    _, weight = residuals(prediction, y, weight)
    seen = weight > 0
    square = (y - prediction.mean).double().cpu().square().where(seen, 0.0)
    variance = prediction.std.double().cpu().square().where(seen, 1.0)
    ratio = _best_ratio(square, variance, weight)
    scale = weighted_mean(square / (variance + ratio), weight).sqrt()
    noise = scale * ratio.sqrt()
    dead = (variance.where(seen, 0.0) == 0).all(0)  # any ratio will do, and a scale of nothing is no scale
    perfect = (square == 0).all(0)  # a prediction without any error says nothing of std
    return scale.where(~dead, 0.0).where(~perfect, 1.0), noise.where(~perfect, 0.0)


def _best_ratio(square: Tensor, variance: Tensor, weight: Tensor) -> Tensor:
    """The likeliest (noise / scale)² for each column: the best of many, then of many between its neighbours.

    For a given ratio t the likeliest scale² is mean(square / (variance + t)), which leaves one number to search for.
    """
    typical = weighted_mean(variance, weight)
    centre, width = typical.where(typical > 0, 1.0).log10(), _DECADES
    for _ in range(_N_ZOOMS):
        exponents = centre + torch.linspace(-width, width, _N_TRIED, dtype=torch.float64).unsqueeze(1)
        surprise = torch.stack([_surprise(square, variance, 10**exponent, weight) for exponent in exponents])
        centre = exponents.gather(0, surprise.argmin(0, keepdim=True))[0]
        width = 2 * width / (_N_TRIED - 1)
    none, some = torch.zeros_like(centre), 10**centre
    without = _surprise(square, variance, none, weight)
    without = without.where(without.isfinite(), torch.inf)  # a std of zero forbids it
    return some.where(_surprise(square, variance, some, weight) < without - _ROUNDING, none)


def _surprise(square: Tensor, variance: Tensor, ratio: Tensor, weight: Tensor) -> Tensor:
    """Twice the negative log-likelihood per point, but for a constant, at the best scale: (d,)."""
    total = variance + ratio
    return weighted_mean(total.log(), weight) + weighted_mean(square / total, weight).log()
