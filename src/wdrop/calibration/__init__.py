"""Calibrations by name. A calibration maps a prediction to a better one; residuals at unseen points set it."""

from wdrop.calibration.added_noise import AddedNoise
from wdrop.calibration.calibration import Calibration
from wdrop.calibration.conformal import Conformal
from wdrop.calibration.cv_plus import CVPlus
from wdrop.calibration.interval import Interval, gaussian_interval, gaussian_quantiles
from wdrop.calibration.isotonic import Isotonic
from wdrop.calibration.quantile_scale import QuantileScale
from wdrop.calibration.robust_added_noise import RobustAddedNoise
from wdrop.calibration.robust_scale import RobustScale
from wdrop.calibration.scale import Scale

__all__ = [
    "CALIBRATIONS",
    "AddedNoise",
    "CVPlus",
    "Calibration",
    "Conformal",
    "Interval",
    "Isotonic",
    "QuantileScale",
    "RobustAddedNoise",
    "RobustScale",
    "Scale",
    "gaussian_interval",
    "gaussian_quantiles",
]

CALIBRATIONS: dict[str, type[Calibration]] = {
    "scale": Scale,
    "robust_scale": RobustScale,
    "quantile_scale": QuantileScale,
    "added_noise": AddedNoise,
    "robust_added_noise": RobustAddedNoise,
    "isotonic": Isotonic,
    "conformal": Conformal,
}
