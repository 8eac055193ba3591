from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, final

from torch import Tensor

from wdrop.calibration.added_noise import likeliest_noise, with_noise
from wdrop.calibration.calibration import Calibration, scale_facts
from wdrop.calibration.robust_scale import robust_scale
from wdrop.prediction import Prediction


@final
@dataclass(frozen=True, eq=False)
class RobustAddedNoise(Calibration):
    """As `AddedNoise`, then a `RobustScale` on both numbers: std² becomes (scale std)² + noise².

    The likelihood decides how much of std is worth keeping, which takes all residuals; the bulk of them decides how
    large the result is, which a few wild ones would otherwise rule. Mean stays; the noise counts as aleatoric.

    scale  (d,)
    noise  (d,), in the units of y
    """

    scale: Tensor
    noise: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        scale, noise = likeliest_noise(prediction, y, weight)
        factor = robust_scale(with_noise(prediction, scale, noise), y, weight)
        return cls(factor * scale, factor * noise)

    def apply(self, prediction: Prediction) -> Prediction:
        return with_noise(prediction, self.scale, self.noise)

    @property
    def facts(self) -> Mapping[str, float]:
        return {**scale_facts(self.scale), **scale_facts(self.noise, "calibration_noise")}
