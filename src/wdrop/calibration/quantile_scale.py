from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, final

from torch import Tensor

from wdrop.calibration.calibration import Calibration, rescaled, scale_facts
from wdrop.calibration.conformal import Conformal
from wdrop.prediction import Prediction


@final
@dataclass(frozen=True, eq=False)
class QuantileScale(Calibration):
    """One factor on std for each target, after which 68.27 % of the residuals lie within one std, as of a Gaussian.

    The std of `Conformal` without its intervals: quantiles stay Gaussian, so that none is infinite, and nothing but the
    factor is kept. It sees the bulk of the residuals alone; up to 31 of 100 may be anything. Mean stays.
    """

    scale: Tensor

    @classmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        scale = Conformal.of(prediction, y, weight).one_std()
        return cls(scale.where(scale > 0, 1.0))  # most residuals are zero: no factor fits

    def apply(self, prediction: Prediction) -> Prediction:
        return rescaled(prediction, self.scale)

    @property
    def facts(self) -> Mapping[str, float]:
        return scale_facts(self.scale)
