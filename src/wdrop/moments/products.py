"""Products of squares, which variances need, without the copies that autograd would keep."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def squares_product(h: Tensor, weight: Tensor, odds: float) -> Tensor:
    """The variance odds · h² weight² of a sum of dropped units: (K, b, in), (K, in, out) → (K, b, out)."""
    return _SquaresProduct.apply(h, weight, odds)  # type: ignore[no-untyped-call]


class _SquaresProduct(Function):
    @staticmethod
    def forward(ctx: Any, h: Tensor, weight: Tensor, odds: float) -> Tensor:
        ctx.odds = odds
        ctx.save_for_backward(h, weight)
        return torch.bmm(h.square().mul_(odds), weight.square())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        h, weight = ctx.saved_tensors
        grad = grad * (2 * ctx.odds)
        by_h = by_weight = None
        if ctx.needs_input_grad[0]:
            by_h = torch.bmm(grad, weight.square().transpose(1, 2)).mul_(h)
        if ctx.needs_input_grad[1]:
            by_weight = torch.bmm(h.square().transpose(1, 2), grad).mul_(weight)
        return by_h, by_weight, None


def weighted_squares(u: Tensor, h: Tensor) -> Tensor:
    """Σ (u h)² over the units: (K, t, b, w), (K, 1, b, w) → (K, t, b)."""
    return _WeightedSquares.apply(u, h)  # type: ignore[no-untyped-call]


class _WeightedSquares(Function):
    @staticmethod
    def forward(ctx: Any, u: Tensor, h: Tensor) -> Tensor:
        product = u * h
        ctx.save_for_backward(u, h)
        return torch.linalg.vector_norm(product, dim=-1).square_()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        u, h = ctx.saved_tensors
        scaled = (u * h).mul_(2 * grad.unsqueeze(-1))
        by_h = (scaled * u).sum(1, keepdim=True) if u.shape[1] > 1 else scaled * u
        return scaled.mul_(h), by_h
