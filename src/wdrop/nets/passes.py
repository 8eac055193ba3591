"""A stack's way up and down as one node of autograd, for dropout with fixed rates.

Small networks are not slow for their arithmetic: with one network of 50 units nine tenths of a step is the bookkeeping
of some forty operations. Written out by hand there are half as many, and autograd sees one of them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from wdrop.nets.masks import MaskStreams
from wdrop.nets.products import products


def draw_fixed(
    x: Tensor, weights: Iterable[Tensor], biases: Iterable[Tensor], rates: Sequence[float], n_draws: int,
    masks: MaskStreams,
) -> Tensor:  # fmt: skip
    """Outputs of `n_draws` sub-networks of K networks: x (K, b, f) → (K, n_draws, b, d), or (K, 1, b, d) if none drops.

    Gradients reach the weights and biases, not x.
    """
    return _Draw.apply(x, tuple(rates), n_draws, masks, *weights, *biases)  # type: ignore[no-untyped-call]


class _Draw(Function):
    """Linear, relu, mask, ..., linear.

    A unit passes gradient where its output is positive: active and kept, both at once. So no mask need be remembered.
    What lies before the first dropout is computed once for all draws; on the way down their gradients meet there.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, rates: tuple[float, ...], n_draws: int, masks: MaskStreams, *parameters: Tensor
    ) -> Tensor:
        weights, biases = parameters[: len(rates) + 1], parameters[len(rates) + 1 :]
        n_networks, n_rows, _ = x.shape
        units, scales = [x], [1.0]
        for weight, bias, p in zip(weights, biases, rates, strict=False):
            a = products(units[-1], weight, scales[-1]).add_(bias)
            if p > 0:
                keep = masks.keep((n_draws, n_rows, a.shape[-1]), p, a.dtype)
                a = keep.mul_(a.view(n_networks, -1, n_rows, a.shape[-1])).view(n_networks, -1, a.shape[-1])
            units.append(a.relu_())
            scales.append(1 / (1 - p))
        ctx.units, ctx.scales = units, scales  # not for save_for_backward: the way down overwrites them
        ctx.save_for_backward(*weights)
        out = products(units[-1], weights[-1], scales[-1]).add_(biases[-1])
        return out.view(n_networks, -1, n_rows, out.shape[-1])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        weights = ctx.saved_tensors
        units, scales = ctx.units, ctx.scales
        del ctx.units  # a second way down would find them overwritten
        grad = grad.reshape(len(grad), -1, grad.shape[-1])
        gradients: list[Tensor] = []  # of the last weight, its bias, the weight before it, ...
        for i in reversed(range(len(weights))):
            if grad.shape[1] > units[i].shape[1]:
                grad = grad.view(len(grad), -1, units[i].shape[1], grad.shape[-1]).sum(1)
            gradients += products(units[i].mT, grad, scales[i]), grad.sum(1, keepdim=True)
            if i == 0:
                break
            grad = products(grad, weights[i].mT, scales[i])
            # into the units themselves, which nobody reads after this: fresh memory would double the cost
            grad = torch.ops.aten.threshold_backward.grad_input(grad, units[i], 0, grad_input=units[i])
        return None, None, None, None, *gradients[-2::-2], *gradients[::-2]
