"""Moments of a smooth activation f(a), a ~ N(m, v), by quadrature with 37 nodes.

    E[g(a)] ≈ Σ wᵢ g(m + √v zᵢ),     zᵢ evenly spaced in [-6, 6],     wᵢ ∝ exp(-½ zᵢ²)

for g = f (the mean), f² (the second moment) and f' (the gate: by Stein's lemma Cov(f(a), a) = v E[f'(a)]). Derivatives
of the moments are moments of derivatives, ∂E[g]/∂m = E[g'] and ∂E[g]/∂v = ½ E[g''], so nothing is divided by √v and
all is finite at v = 0.

The trapezoidal rule beats Gauss-Hermite here, whose nodes are too few where tanh bends. The largest error of the three
moments for m from -6 to 6: 3e-8 for std 1, 1e-5 for std 2, 6e-4 for std 3 (GELU and SiLU: 8e-6), 0.01 for std 5
(0.003).
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

N_NODES, REACH = 37, 6.0

Derivatives = Callable[[Tensor], tuple[Tensor, Tensor, Tensor, Tensor]]
"""f and its first three derivatives at a."""


def quadrature(m: Tensor, v: Tensor, derivatives: Derivatives) -> tuple[Tensor, Tensor, Tensor]:
    """Mean, second moment and gate of f(a)."""
    return _Quadrature.apply(m, v, derivatives)  # type: ignore[no-untyped-call]


def tanh(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    f = a.tanh()
    first = 1 - f.square()
    return f, first, -2 * f * first, (6 * f.square() - 2) * first


def silu(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    sigmoid = a.sigmoid()
    first = sigmoid * (1 - sigmoid)
    second = first * (1 - 2 * sigmoid)
    third = first * (1 - 6 * first)
    return a * sigmoid, sigmoid + a * first, 2 * first + a * second, 3 * second + a * third


def gelu(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    below = torch.special.ndtr(a)
    density = (-0.5 * a.square()).exp() * 0.3989422804014327
    return a * below, below + a * density, (2 - a.square()) * density, (a.square() - 4) * a * density


class _Quadrature(Function):
    @staticmethod
    def forward(ctx: Any, m: Tensor, v: Tensor, derivatives: Derivatives) -> tuple[Tensor, Tensor, Tensor]:
        mean, second, gate = (torch.zeros_like(m) for _ in range(3))
        for weight, a in _nodes(m, v):
            f, first, _, _ = derivatives(a)
            mean.add_(f, alpha=weight)
            second.addcmul_(f, f, value=weight)
            gate.add_(first, alpha=weight)
        ctx.derivatives = derivatives
        ctx.save_for_backward(m, v, gate)
        return mean, second, gate

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g_mean: Tensor, g_second: Tensor, g_gate: Tensor) -> tuple[Tensor, Tensor, None]:
        m, v, gate = ctx.saved_tensors
        product, bend, third, squares = (torch.zeros_like(m) for _ in range(4))
        for weight, a in _nodes(m, v):
            f, f1, f2, f3 = ctx.derivatives(a)
            product.addcmul_(f, f1, value=weight)
            bend.add_(f2, alpha=weight)
            third.add_(f3, alpha=weight)
            squares.addcmul_(f1, f1, value=weight).addcmul_(f, f2, value=weight)
        by_m = g_mean * gate + 2 * g_second * product + g_gate * bend
        by_v = 0.5 * g_mean * bend + g_second * squares + 0.5 * g_gate * third
        return by_m, by_v, None


def _nodes(m: Tensor, v: Tensor) -> Any:
    s = v.clamp_min(0).sqrt()
    for z, weight in _rule():
        yield weight, torch.add(m, s, alpha=z)


@cache
def _rule() -> tuple[tuple[float, float], ...]:
    z = torch.linspace(-REACH, REACH, N_NODES, dtype=torch.float64)
    weight = (-0.5 * z.square()).exp()
    return tuple(zip(z.tolist(), (weight / weight.sum()).tolist(), strict=True))
