"""Intervals and quantiles of a prediction that is taken as Gaussian."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from wdrop.prediction import Prediction


class Interval(NamedTuple):
    """Where y is expected to lie: lower and upper end, each (n, d)."""

    lower: Tensor
    upper: Tensor


def checked_level(level: float) -> float:
    """The level of an interval, refused outside (0, 1)."""
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}; 0.9 asks for nine of ten points inside")
    return float(level)


def checked_levels(levels: Sequence[float]) -> Tensor:
    """Levels of quantiles, in double precision (q,)."""
    return torch.tensor([checked_level(level) for level in levels], dtype=torch.float64)


def gaussian_quantiles(prediction: Prediction, levels: Sequence[float]) -> Tensor:
    """Quantiles of N(mean, std²): (q, n, d)."""
    z = torch.special.ndtri(checked_levels(levels))
    return stretched(prediction, z.unsqueeze(1))


def gaussian_interval(prediction: Prediction, level: float = 0.9) -> Interval:
    """The central interval of N(mean, std²) that holds y with probability `level`."""
    lower, upper = gaussian_quantiles(prediction, central(level))
    return Interval(lower, upper)


def central(level: float) -> tuple[float, float]:
    """The levels of the two quantiles between which a central interval lies."""
    return (1 - checked_level(level)) / 2, (1 + level) / 2


def stretched(prediction: Prediction, z: Tensor) -> Tensor:
    """The points mean + z std for each row of z (q, d) or (q, 1): (q, n, d)."""
    z = z.to(prediction.std).unsqueeze(1)
    # An infinite z means "anywhere", also where std is zero and the product would be NaN.
    return prediction.mean + torch.where(z.isinf(), z, z * prediction.std)
