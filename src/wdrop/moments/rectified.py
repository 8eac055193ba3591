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


class Rectified(NamedTuple):
    """What comes of m and v: all that the derivatives need."""

    m: Tensor
    s: Tensor
    gate: Tensor
    density: Tensor
    mean: Tensor
    injected: Tensor
    odds: float


def rectify(m: Tensor, v: Tensor, odds: float) -> Rectified:
    """Mean μ, gate Φ and injected variance J of relu with dropout behind it, without gradients."""
    s = v.clamp_min(TINY).sqrt_()
    t = m / s
    gate = (t * sqrt(0.5)).erf_().mul_(0.5).add_(0.5)
    density = torch.threshold_(t.square_().mul_(-0.5).exp_().mul_(1 / sqrt(2 * pi)), _NO_DENSITY, 0.0)
    mean = torch.addcmul(density * s, m, gate)
    injected = torch.addcmul(v, v, gate, value=-1).mul_(gate).addcmul_(mean, mean - m, value=-1)
    if odds > 0:
        injected.add_(torch.addcmul(v * gate, m, mean), alpha=odds)
    return Rectified(m, s, gate, density, mean, injected.clamp_min_(0), odds)


def rectified_gradients(of: Rectified, g_mean: Tensor, g_gate: Tensor, g_injected: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of m and v out of those of μ, Φ and J, by hand: a third of the passes that autograd takes.

        ∂μ/∂m = Φ              ∂μ/∂v = φ/2s
        ∂Φ/∂m = φ/s            ∂Φ/∂v = -m φ/2s³
        ∂J/∂m = 2 odds μ + 2 (m Φ (1 - Φ) + s φ (1 - 2 Φ))
        ∂J/∂v = odds Φ + Φ (1 - Φ) - φ²

    for the injected J = odds (m μ + v Φ) + v Φ (1 - Φ) - μ (μ - m).
    """
    m, s, gate, density, mean, _, odds = of
    kink = torch.addcmul(gate, gate, gate, value=-1)  # Φ (1 - Φ)
    by_m = m * kink
    bump = density * s
    by_m.add_(bump).addcmul_(bump, gate, value=-2).add_(mean, alpha=odds).mul_(2)
    rate = torch.div(density, s, out=bump)
    by_m.mul_(g_injected).addcmul_(g_mean, gate).addcmul_(g_gate, rate)
    by_v = kink.addcmul_(density, density, value=-1).add_(gate, alpha=odds).mul_(g_injected)
    pull = (g_gate * m).div_(s).div_(s)
    return by_m, by_v.addcmul_(pull.sub_(g_mean), rate, value=-0.5)


def rectified(m: Tensor, v: Tensor, odds: float) -> tuple[Tensor, Tensor, Tensor]:
    """Mean μ, gate Φ and injected variance, with gradients; `odds` is p/(1 - p)."""
    return _Rectified.apply(m, v, odds)  # type: ignore[no-untyped-call]


class _Rectified(Function):
    @staticmethod
    def forward(ctx: Any, m: Tensor, v: Tensor, odds: float) -> tuple[Tensor, Tensor, Tensor]:
        found = rectify(m, v, odds)
        ctx.odds = odds
        ctx.save_for_backward(m, found.s, found.gate, found.density, found.mean, found.injected)
        return found.mean, found.gate, found.injected

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g_mean: Tensor, g_gate: Tensor, g_injected: Tensor) -> tuple[Tensor, Tensor, None]:
        m, s, gate, density, mean, injected = ctx.saved_tensors
        of = Rectified(m, s, gate, density, mean, injected, ctx.odds)
        return *rectified_gradients(of, g_mean, g_gate, g_injected), None
