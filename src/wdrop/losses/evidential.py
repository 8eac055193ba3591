"""Deep evidential regression: a network that gives a prior over mean and variance of y.

Amini et al., "Deep Evidential Regression", NeurIPS 2020. A normal-inverse-gamma prior with parameters gamma, nu, alpha,
beta makes y Student-t with 2 alpha degrees of freedom, location gamma and squared scale beta (1 + nu)/(nu alpha).
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from wdrop._checks import same_shape


class NormalInverseGamma(NamedTuple):
    """nu > 0, alpha > 1, beta > 0, each (n, d)."""

    gamma: Tensor
    nu: Tensor
    alpha: Tensor
    beta: Tensor

    @property
    def aleatoric_variance(self) -> Tensor:
        """E[σ²] = beta/(alpha - 1)."""
        return self.beta / (self.alpha - 1)

    @property
    def epistemic_variance(self) -> Tensor:
        """Var[μ] = beta/(nu (alpha - 1)); with the aleatoric one it makes the variance of the Student-t."""
        return self.beta / (self.nu * (self.alpha - 1))


PUBLISHED_OFFSET = 0.5 * (math.pi - math.log(math.pi))
"""0.998: what the code behind the Wasserstein dropout paper has too much, ½ (π - log nu) for ½ log(π/nu)."""


def evidential_nll(prior: NormalInverseGamma, y: Tensor, *, as_published: bool = False) -> Tensor:
    """Negative log-density of y, a Student-t, for each point: (n, d).

    `as_published` adds the constant that the paper's code has too much; gradients are the same.
    """
    gamma, nu, alpha, beta = prior
    same_shape(gamma=gamma, nu=nu, alpha=alpha, beta=beta, y=y)
    omega = 2 * beta * (1 + nu)
    value = (
        0.5 * (math.pi / nu).log()
        - alpha * omega.log()
        + (alpha + 0.5) * (nu * (y - gamma).square() + omega).log()
        + torch.lgamma(alpha)
        - torch.lgamma(alpha + 0.5)
    )
    return value + PUBLISHED_OFFSET if as_published else value


def evidential_regulariser(prior: NormalInverseGamma, y: Tensor) -> Tensor:
    """|y - gamma| (2 nu + alpha): evidence where the mean is wrong, for each point: (n, d)."""
    return (y - prior.gamma).abs() * (2 * prior.nu + prior.alpha)
