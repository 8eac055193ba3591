"""A stack's way up and down by hand, for dropout with fixed rates; for autograd it is one node.

Small networks are not slow for their arithmetic: with one network of 50 units nine tenths of a step is the bookkeeping
of some forty operations. Written out by hand there are half as many, and autograd sees one of them, or none.
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from wdrop.nets.masks import MaskStreams
from wdrop.nets.products import products


class Drawn(NamedTuple):
    """Outputs (n_draws, K, b, d), or (1, K, b, d) if none drops, and what the way down needs.

    units   x and the units of each hidden layer, not scaled; the way down overwrites them
    scales  what the units below each layer are to be multiplied by
    """

    out: Tensor
    units: list[Tensor]
    scales: list[float]


def up(x: Tensor, parameters: Sequence[Tensor], rates: Sequence[float], n_draws: int, masks: MaskStreams) -> Drawn:
    """Draws of K networks at x (K, b, f): linear, relu, mask, ..., linear.

    `parameters` are all weights, then all biases. What lies before the first dropout is computed once for all draws.

    Units kept are scaled by 1/(1 - p). As relu(c a) = c relu(a), all these factors wait until the output and divide the
    biases instead: there are far fewer of both than of units or weights.
    """
    n_layers = len(rates) + 1
    weights, biases = parameters[:n_layers], parameters[n_layers:]
    n_networks, n_rows, _ = x.shape
    scales = list(accumulate((1 / (1 - p) for p in rates), mul, initial=1.0))
    units = [x]
    for weight, bias, scale, p in zip(weights, biases, scales, rates, strict=False):
        h = products(units[-1], weight).add_(bias, alpha=1 / scale).relu_()
        if p > 0:
            keep = masks.keep((n_draws, n_rows, h.shape[-1]), p, h.dtype)
            h = keep.mul_(h.view(n_networks, -1, n_rows, h.shape[-1])).view(n_networks, -1, h.shape[-1])
        units.append(h)
    out = products(units[-1], weights[-1]).mul_(scales[-1]).add_(biases[-1])
    return Drawn(out.view(n_networks, -1, n_rows, out.shape[-1]).transpose(0, 1), units, scales)


def down(grad: Tensor, weights: Sequence[Tensor], units: Sequence[Tensor], scales: Sequence[float]) -> list[Tensor]:
    """The gradients of all weights, then of all biases, out of that of the outputs.

    A unit passes gradient where its output is positive: active and kept, both at once. So no mask need be remembered.
    Where draws share what lies before the first dropout, their gradients meet.
    """
    grad = grad.transpose(0, 1).flatten(1, 2)
    by_bias = [grad.sum(1, keepdim=True)]
    grad = grad * scales[-1]
    by_weight = [products(units[-1].mT, grad)]
    for i in reversed(range(len(weights) - 1)):
        grad = products(grad, weights[i + 1].mT)
        # into the units themselves, which nobody reads after this: fresh memory would double the cost
        grad = torch.ops.aten.threshold_backward.grad_input(grad, units[i + 1], 0, grad_input=units[i + 1])
        if grad.shape[1] > units[i].shape[1]:
            grad = grad.view(len(grad), -1, units[i].shape[1], grad.shape[-1]).sum(1)
        by_weight.append(products(units[i].mT, grad))
        by_bias.append(grad.sum(1, keepdim=True).div_(scales[i]) if scales[i] != 1 else grad.sum(1, keepdim=True))
    return by_weight[::-1] + by_bias[::-1]


def draw_fixed(
    x: Tensor, parameters: Sequence[Tensor], rates: Sequence[float], n_draws: int, masks: MaskStreams
) -> Tensor:
    """The outputs of `up` with gradients, which reach the parameters, not x."""
    return _Draw.apply(x, rates, n_draws, masks, *parameters)  # type: ignore[no-untyped-call]


class _Draw(Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, rates: Sequence[float], n_draws: int, masks: MaskStreams, *parameters: Tensor
    ) -> Tensor:
        out, ctx.units, ctx.scales = up(x, parameters, rates, n_draws, masks)
        ctx.save_for_backward(*parameters[: len(rates) + 1])
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        units = ctx.units
        del ctx.units  # a second way down would find them overwritten
        return None, None, None, None, *down(grad, ctx.saved_tensors, units, ctx.scales)
