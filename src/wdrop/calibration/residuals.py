"""Residuals as calibrations take them in: checked, normalised, in double precision, with their weights."""

from typing import NamedTuple

import torch
from torch import Tensor

from wdrop._checks import all_finite, same_shape
from wdrop.prediction import Prediction

_HOPELESS = 1e-5  # of the root mean square error: a std below it says nothing that a factor could mend


class Residuals(NamedTuple):
    """z = (y - mean) / std and its weight, each (n, d); z is infinite where std is zero and y is not the mean."""

    z: Tensor
    weight: Tensor


def residuals(prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Residuals:
    """Normalised residuals of a prediction at points that the predictor had not seen."""
    same_shape(mean=prediction.mean, y=y)
    weight = _checked_weight(y, weight)
    seen = weight > 0
    # A calibration is a few numbers: it lives on the CPU and follows the prediction when applied.
    error, std = ((y - prediction.mean).double().cpu(), prediction.std.double().cpu())
    error, std = error.where(seen, 0.0), std.where(seen, 1.0)
    all_finite(residuals=error, std=std)
    return Residuals(torch.where(error == 0, 0.0, error / std), weight)


def mendable_residuals(prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Residuals:
    """The same for maps that average, which one std of next to nothing would rule: such points have no say.

    A std below 1e-5 of the root mean square error (dead units have it, for one) stays useless under any factor.
    """
    z, weight = residuals(prediction, y, weight)
    square = (y - prediction.mean).double().cpu().square().where(weight > 0, 0.0)
    typical = weighted_mean(square, weight).sqrt()
    mendable = (prediction.std.cpu() > _HOPELESS * typical) | (z == 0)
    if not (mendable & (weight > 0)).any(0).all():
        raise ValueError("expected some std above zero to calibrate, got a target with none; has the network died?")
    return Residuals(z.where(mendable, 0.0), weight.where(mendable, 0.0))


def weighted_mean(values: Tensor, weight: Tensor) -> Tensor:
    """The mean over points: (n, d) → (d,)."""
    return (weight * values).sum(0) / weight.sum(0)


def _checked_weight(y: Tensor, weight: Tensor | None) -> Tensor:
    if weight is None:
        weight = torch.ones_like(y)
    same_shape(y=y, weight=weight)
    all_finite(weight=weight)
    if (weight < 0).any():
        raise ValueError(f"expected weights of at least 0, got {float(weight.min())}")
    if not (weight > 0).any(0).all():
        raise ValueError("expected for each target a residual with weight above 0, got a target without any")
    return weight.double().cpu()
