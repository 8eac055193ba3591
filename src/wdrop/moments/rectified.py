"""Moments of relu(a) for a ~ N(m, v): what a hidden unit does to mean and variance.

With s = √v, t = m/s, Φ = Φ(t), φ = φ(t):

    E[relu(a)] = μ = m Φ + s φ          E[relu(a)²] = m μ + v Φ          Cov(relu(a), a)/v = Φ

The unit passes Φ² v on. Its kink adds `v Φ (1 - Φ) - μ (μ - m)`, which is never negative, and dropout with rate p
behind it adds `p/(1 - p) E[relu(a)²]`. Both together are what the unit *injects*.
"""

from math import pi, sqrt
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

TINY = 1e-24
"""Variances below this count as this: nobody sees the difference, and what divides by the root stays finite."""

_NO_DENSITY = 1e-12  # a density below is 0: products of such numbers would be denormal, and those are slow


_C = 1 / sqrt(2 * pi)


class Rectified(NamedTuple):
    """What comes of m and v: all that the derivatives need. `bell` is √(2π) φ, `v` is at least `TINY`."""

    m: Tensor
    v: Tensor
    s: Tensor
    gate: Tensor
    bell: Tensor
    mean: Tensor
    injected: Tensor
    odds: float


def rectify(m: Tensor, v: Tensor, odds: float) -> Rectified:
    """Mean μ, gate Φ and injected variance J of relu with dropout behind it, without gradients."""
    v = v.clamp_min(TINY)
    s = v.sqrt()
    t = m / s
    gate = (t * sqrt(0.5)).erf_().mul_(0.5).add_(0.5)
    bell = torch.threshold_(t.square_().mul_(-0.5).exp_(), _NO_DENSITY, 0.0)
    mean = (m * gate).addcmul_(bell, s, value=_C)
    passed = v * gate
    injected = torch.addcmul(passed, passed, gate, value=-1).addcmul_(mean, mean - m, value=-1)
    if odds > 0:
        injected.add_(passed.addcmul_(m, mean), alpha=odds)
    return Rectified(m, v, s, gate, bell, mean, injected.clamp_min_(0), odds)


def rectified_gradients(of: Rectified, g_mean: Tensor, g_gate: Tensor, g_injected: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of m and v out of those of μ, Φ and J, by hand: a third of the passes that autograd takes.

        ∂μ/∂m = Φ              ∂μ/∂v = φ/2s
        ∂Φ/∂m = φ/s            ∂Φ/∂v = -m φ/2s³
        ∂J/∂m = 2 (1 + odds) μ - 2 Φ (μ + s φ)
        ∂J/∂v = (1 + odds) Φ - Φ² - φ²

    for the injected J = odds (m μ + v Φ) + v Φ (1 - Φ) - μ (μ - m).
    """
    m, v, s, gate, bell, mean, _, odds = of
    half = torch.addcmul(mean, bell, s, value=_C).mul_(gate).sub_(mean, alpha=1 + odds)  # of ∂J/∂m, with the other sign
    rate = bell / s
    by_m = (g_mean * gate).addcmul_(g_gate, rate, value=_C).addcmul_(half, g_injected, value=-2)
    by_v = torch.addcmul(gate * (1 + odds), gate, gate, value=-1).addcmul_(bell, bell, value=-_C * _C).mul_(g_injected)
    pull = torch.addcdiv(g_mean, g_gate * m, v, value=-1)
    return by_m, by_v.addcmul_(pull, rate, value=0.5 * _C)


def rectified(m: Tensor, v: Tensor, odds: float) -> tuple[Tensor, Tensor, Tensor]:
    """Mean μ, gate Φ and injected variance, with gradients; `odds` is p/(1 - p)."""
    return _Rectified.apply(m, v, odds)  # type: ignore[no-untyped-call]


class _Rectified(Function):
    @staticmethod
    def forward(ctx: Any, m: Tensor, v: Tensor, odds: float) -> tuple[Tensor, Tensor, Tensor]:
        found = rectify(m, v, odds)
        ctx.odds = odds
        ctx.save_for_backward(*found[:-1])
        return found.mean, found.gate, found.injected

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g_mean: Tensor, g_gate: Tensor, g_injected: Tensor) -> tuple[Tensor, Tensor, None]:
        m, v, s, gate, bell, mean, injected = ctx.saved_tensors
        of = Rectified(m, v, s, gate, bell, mean, injected, ctx.odds)
        return *rectified_gradients(of, g_mean, g_gate, g_injected), None
