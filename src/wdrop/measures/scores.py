"""How close the forecast came, error and spread taken together."""

from math import log, pi, sqrt

import numpy as np
from scipy.special import ndtr

from wdrop.measures._columns import Column, measure
from wdrop.measures._normal import density


@measure
def rmse(mean: Column, std: Column, y: Column) -> float:
    """Root mean squared error of the mean; std is not looked at."""
    return float(np.sqrt(np.mean((mean - y) ** 2)))


@measure
def nll(mean: Column, std: Column, y: Column, *, constant: bool = False) -> float:
    """Negative log-likelihood of y under N(mean, std²), mean over points.

    log std + ½ z²,   z = (y - mean) / std

    The paper leaves ½ log 2π out; `constant=True` adds it. One point with a far too small std can rule the whole.
    """
    value = np.mean(np.log(std) + 0.5 * ((y - mean) / std) ** 2)
    return float(value + (0.5 * log(2 * pi) if constant else 0))


@measure
def crps(mean: Column, std: Column, y: Column) -> float:
    """Continuous ranked probability score of N(mean, std²), mean over points, in the units of y.

    std [ z (2 Φ(z) - 1) + 2 φ(z) - 1/√π ],   z = (y - mean) / std

    Rewards what the likelihood rewards and stays finite where that explodes: far off it is |y - mean|.
    Gneiting & Raftery 2007, equation (21).
    """
    z = (y - mean) / std
    return float(np.mean(std * (z * (2 * ndtr(z) - 1) + 2 * density(z) - 1 / sqrt(pi))))
