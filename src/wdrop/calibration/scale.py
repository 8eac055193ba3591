from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, final

from torch import Tensor

from wdrop.calibration.calibration import Calibration, rescaled, scale_facts
from wdrop.calibration.residuals import mendable_residuals, weighted_mean
from wdrop.prediction import Prediction


@final
@dataclass(frozen=True, eq=False)
class Scale(Calibration):
    """One factor on std for each target: sqrt(mean z²), z = (y - mean) / std. Mean stays.

    No factor has a higher Gaussian likelihood on the residuals. A few wild ones rule it: see `RobustScale`.
    """

    scale: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        z, weight = mendable_residuals(prediction, y, weight)
        scale = weighted_mean(z.square(), weight).sqrt()
        return cls(scale.where(scale > 0, 1.0))  # a prediction without any error says nothing of std

    def apply(self, prediction: Prediction) -> Prediction:
        return rescaled(prediction, self.scale)

    @property
    def facts(self) -> Mapping[str, float]:
        return scale_facts(self.scale)
