"""What several raw outputs per target mean. Outputs come in blocks: all means first, then the next parameter."""

import torch.nn.functional as F
from torch import Tensor

from wdrop.losses.evidential import NormalInverseGamma

VARIANCE_FLOOR = 1e-6


def gaussian_head(raw: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance out of (..., 2 d): softplus plus a floor of 1e-6, as in Lakshminarayanan et al. 2017."""
    mean, z = raw.chunk(2, -1)
    return mean, F.softplus(z) + VARIANCE_FLOOR


def published_gaussian_head(raw: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and std out of (..., 2 d) as coded behind the Wasserstein dropout paper: softplus *squared*, no floor."""
    mean, z = raw.chunk(2, -1)
    return mean, F.softplus(z).square()


def evidential_head(raw: Tensor) -> NormalInverseGamma:
    """The prior out of (..., 4 d). The small numbers keep nu and alpha - 1 above 0 in single precision."""
    gamma, nu, alpha, beta = raw.chunk(4, -1)
    return NormalInverseGamma(gamma, F.softplus(nu) + 1e-6, F.softplus(alpha) + 1 + 1e-6, F.softplus(beta) + 1e-6)
