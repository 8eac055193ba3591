"""The Wasserstein dropout loss for exact moments: no draws, and an optimum at the true std.

With L draws, what keeps std from growing is the noise of their mean. Exact moments have no such noise, and the paper's
loss then always prefers a larger std. One term puts the brake in by hand:

    J = d² + κ s² + (s - R)²,   d = mean - y,   R = √(d² + s²)

whose slope in s is 2 κ s - 2 (R - s)²/R. For d ~ N(0, σ²) the optimum is s = σ exactly when κ = E[(R₁ - 1)²/R₁] with
R₁ = √(1 + z²), z ~ N(0, 1). J scales as c² under y → c y, so no unit is preferred.
"""

from functools import cache
from math import pi, sqrt

import numpy as np
import torch
from torch import Tensor

from wdrop._checks import same_shape
from wdrop.losses.optimum import optimal_std


@cache
def brake(scale: float = 1.0) -> float:
    """The κ whose optimum is `scale` times the true std, for Gaussian noise: 0.144171 for 1, less for more."""
    from scipy.integrate import quad  # slow to import, and only training needs it

    if not scale > 0:
        raise ValueError(f"expected scale above 0, got {scale}")

    def weighted(z: float) -> float:
        r = np.hypot(z, scale)
        return float((r - scale) ** 2 / r * np.exp(-0.5 * z * z)) * sqrt(2 / pi)

    return quad(weighted, 0, np.inf, epsabs=1e-13)[0] / scale


def closed_form_loss(mean: Tensor, std: Tensor, y: Tensor, *, effective_L: int | None = None) -> Tensor:  # noqa: N803
    """The loss above for each point: (n, d).

    mean, std, y  (n, d), the moments of a dropout network in closed form, and what was observed

    `effective_L` is a knob between bold and cautious: the std comes out as large as that of the paper's loss with so
    many draws, 0.70 of the true one for 5, 1.05 for 10. None is calibrated: 1.00 for Gaussian noise.
    """
    same_shape(mean=mean, std=std, y=y)
    kappa = _kappa(effective_L)
    d = mean - y
    # a norm: where d and s are both 0 its gradient is 0, not NaN
    r = torch.linalg.vector_norm(torch.stack([d, std]), dim=0)
    return d.square() + kappa * std.square() + (std - r).square()


def closed_form_slopes(
    mean: Tensor,
    std: Tensor,
    y: Tensor,
    *,
    effective_L: int | None = None,  # noqa: N803
) -> tuple[Tensor, Tensor]:
    """The gradients of `closed_form_loss` at each point with respect to mean and std: two (n, d).

    2 d (2 - s/R)          2 κ s - 2 (R - s)²/R
    """
    d = mean - y
    r = torch.hypot(d, std)
    over = r.clamp_min(_TINY)  # where d and s are both 0 so are all numerators
    return d.mul_(2 - std / over).mul_(2), (std * _kappa(effective_L)).sub_((r - std).square_().div_(over)).mul_(2)


_TINY = 1e-30


def _kappa(effective_L: int | None) -> float:  # noqa: N803
    return brake() if effective_L is None else brake(optimal_std(effective_L))
