"""Where the two losses have their optimum for noise that is not Gaussian: how far mean and std are then off.

Noise of mean 0 and std 1. Symmetric noise leaves the mean alone and moves std by little; skewed noise pulls the mean.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import minimize
from scipy.special import roots_hermitenorm, roots_legendre

from wdrop._checks import at_least, known
from wdrop.losses.closed_form import brake

Array = NDArray[np.float64]

NOISES: MappingProxyType[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "normal": stats.norm.ppf,
        "uniform": stats.uniform(-(3**0.5), 2 * 3**0.5).ppf,
        "laplace": stats.laplace(scale=0.5**0.5).ppf,
        "t5": stats.t(5, scale=0.6**0.5).ppf,
        "exponential": stats.expon(-1).ppf,
    }
)
"""Noise laws of mean 0 and std 1, as quantile functions."""


class Optimum(NamedTuple):
    """Mean and std at which an expected loss is smallest, in units of the noise's std."""

    mean: float
    std: float


def closed_form_optimum(noise: str) -> Optimum:
    """The optimum of `closed_form_loss`: (0, 1) for normal noise."""
    y, weight = _quantiles(noise)
    kappa = brake()

    def loss(mean: float, std: float) -> float:
        # d² + κ s² + (s - R)² with E[d²] = 1 + mean² known: only E[R] is left to quadrature
        return 2 * (1 + mean**2) + (2 + kappa) * std**2 - 2 * std * float(weight @ np.hypot(mean - y, std))

    return _minimum(loss)


def sampled_optimum(noise: str, n_draws: int) -> Optimum:
    """The optimum of `wasserstein_dropout_loss` with so many Gaussian draws: (0, 0.70) for normal noise and 5."""
    at_least(2, n_draws=n_draws)
    y, weight = _quantiles(noise)
    z, z_weight = roots_hermitenorm(24)
    # the biased std of the draws over their own is distributed as a chi with n - 1 degrees of freedom over √n
    level, level_weight = _unit_interval(40)
    spread = stats.chi(n_draws - 1).ppf(level) / n_draws**0.5
    z_weight = z_weight / z_weight.sum()

    def loss(mean: float, std: float) -> float:
        error = mean - y[:, None, None] + std * z[:, None] / n_draws**0.5
        cross = std * spread * np.hypot(error, std * spread)
        # 2 m - 2 √(v m), m = d² + v, E[m] = 1 + mean² + std²
        return 2 * (1 + mean**2 + std**2) - 2 * float(weight @ (cross @ level_weight) @ z_weight)

    return _minimum(loss)


def _minimum(loss: Callable[[float, float], float]) -> Optimum:
    def at(place: Array) -> float:
        return loss(float(place[0]), float(place[1]))

    found = minimize(at, np.array([0.0, 0.9]), method="Nelder-Mead", tol=1e-5)
    return Optimum(float(found.x[0]), abs(float(found.x[1])))


def _quantiles(noise: str) -> tuple[Array, Array]:
    """Places and weights that stand for the noise."""
    known("noise", noise, NOISES)
    level, weight = _unit_interval(200)
    return NOISES[noise](level), weight


def _unit_interval(n: int) -> tuple[Array, Array]:
    """Gauss-Legendre in w with u = w² (3 - 2 w): the nodes crowd at both ends, where quantiles run away."""
    node, weight = roots_legendre(n)
    w = (node + 1) / 2
    return w**2 * (3 - 2 * w), 3 * w * (1 - w) * weight
