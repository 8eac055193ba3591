"""The two sweeps for a stack of networks in training, as one node of autograd with its derivatives by hand.

The same moments as `sweeps.chain_moments`, for linear layers, relu and fixed dropout alone. Autograd would keep a copy
of every product and add up gradients that one matrix product can add where they arise; training takes two thirds of
the time without it.

Units up to the first dropout have a known value h. From there on a unit has a mean μ and a variance v, a gate Φ, and
it injects J; u (K, d, b, w) is what a deviation of a unit does to each of d outputs:

    way up     m = μ W + b,   v = v_below W²,   μ, Φ, J = rectify(m, v),   v_above = J + Φ² v
    way down   u = (u_above Φ) Wᵀ,   Var = Σ u² J + Σ odds (u h)² at the first dropout
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from wdrop.moments.rectified import Rectified, rectified_gradients, rectify
from wdrop.nets.products import products
from wdrop.nets.stacked import Stack


def stack_mean_and_variance(stack: Stack, x: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance of the sub-networks of every network, x (K, b, f) → two (K, b, d).

    Gradients reach the weights and biases, not x.
    """
    return _StackMoments.apply(x, _rates(stack), *stack.layers)  # type: ignore[no-untyped-call]


Slopes = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""Mean and std (K, b, d) → gradients of both."""


@torch.no_grad()
def descend(stack: Stack, x: Tensor, slopes: Slopes) -> None:
    """Set the gradients of all parameters: what `stack_mean_and_variance` and autograd would do together."""
    rates = _rates(stack)
    n_layers = len(rates) + 1
    way = _Way(x, stack.layers[:n_layers], rates)
    mean = way.up(stack.layers[n_layers:])
    std = way.down().sqrt_()
    by_mean, by_std = slopes(mean, std)
    by_variance = torch.where(std > 0, by_std / std.mul_(2), 0.0)  # std has no slope at 0
    for parameter, grad in zip(stack.layers, way.back(by_mean, by_variance), strict=True):
        parameter.grad = grad


def _rates(stack: Stack) -> Sequence[float]:
    if stack.fixed_rates is None or not any(stack.fixed_rates):
        raise ValueError("a stack has moments in closed form if its drop rates are fixed and some above 0")
    return stack.fixed_rates


class _StackMoments(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, rates: Sequence[float], *parameters: Tensor) -> tuple[Tensor, Tensor]:
        weights, biases = parameters[: len(rates) + 1], parameters[len(rates) + 1 :]
        ctx.way = _Way(x, weights, rates)
        ctx.save_for_backward(*parameters)  # their change before the way back is then noticed
        return ctx.way.up(biases), ctx.way.down()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g_mean: Tensor, g_variance: Tensor) -> tuple[Tensor | None, ...]:
        assert ctx.saved_tensors
        gradients = ctx.way.back(g_mean, g_variance)
        del ctx.way  # overwritten in part: no second way back
        return None, None, *gradients


class _Passed(NamedTuple):
    """One layer above the first dropout: its weight and its square, what lies below it, and what it makes of that."""

    weight: Tensor
    square: Tensor
    mean_below: Tensor
    variance_below: Tensor
    variance: Tensor
    units: Rectified


class _Way:
    """Both sweeps, and what they leave behind for the way back.

    known   the values of the input and of all units up to the first dropout
    passed  the layers above it
    reach   u at the units of each layer, from the first dropout to the top
    gated   u behind the gates of the layers above the first dropout
    dropped u h at the first dropout, where a layer lies above it
    """

    def __init__(self, x: Tensor, weights: Sequence[Tensor], rates: Sequence[float]) -> None:
        first = next(i for i, p in enumerate(rates) if p > 0)
        self.odds, *self.odds_above = [p / (1 - p) for p in rates[first:]]
        self.known_weights, self.passed_weights, self.top = weights[: first + 1], weights[first + 1 : -1], weights[-1]
        self.top_square = self.top.square()
        self.known = [x]
        self.passed: list[_Passed] = []
        self.reach: list[Tensor] = []
        self.gated: list[Tensor] = []

    def up(self, biases: Sequence[Tensor]) -> Tensor:
        """The mean of the outputs."""
        for weight, bias in zip(self.known_weights, biases, strict=False):
            self.known.append(products(self.known[-1], weight).add_(bias).relu_())
        mean, variance = self.known[-1], self.known[-1].square().mul_(self.odds)
        biases_above = biases[len(self.known_weights) : -1]
        for weight, bias, odds_above in zip(self.passed_weights, biases_above, self.odds_above, strict=True):
            if self.passed:
                variance = _passed_on(self.passed[-1])
            square = weight.square()
            v = products(variance, square)
            units = rectify(products(mean, weight).add_(bias), v, odds_above)
            self.passed.append(_Passed(weight, square, mean, variance, v, units))
            mean = units.mean
        self.top_mean, self.top_source = mean, self.passed[-1].units.injected if self.passed else variance
        return products(mean, self.top).add_(biases[-1])

    def down(self) -> Tensor:
        """The variance of the outputs."""
        total = products(self.top_source, self.top_square)
        u = self.top.mT.unsqueeze(2)  # one row serves all points until the first gate
        self.reach = [u]
        for below, layer in reversed(list(zip([None, *self.passed], self.passed, strict=False))):
            gated = _by_row(u * layer.units.gate.unsqueeze(1))
            u = _by_output(products(gated, layer.weight.mT), self.top.shape[2])
            self.reach.insert(0, u)
            self.gated.insert(0, gated)
            if below is None:
                self.dropped = u * self.known[-1].unsqueeze(1)
                part, factor = self.dropped.square(), self.odds
            else:
                part, factor = u.square().mul_(below.units.injected.unsqueeze(1)), 1.0
            total.add_(part.sum(-1).mT, alpha=factor)
        return total

    def back(self, g_mean: Tensor, g_variance: Tensor) -> list[Tensor]:
        """The gradients of all weights, then of all biases."""
        by_top = products(self.top_source.mT, g_variance).mul_(self.top).mul_(2)
        by_weights = [by_top.add_(products(self.top_mean.mT, g_mean))]  # from the top
        by_biases = [g_mean.sum(1, keepdim=True)]
        g_h, by_reach = self._back_up(g_variance, by_top)
        g_mu = products(g_mean, self.top.mT)
        g_above: Tensor | None = None  # the gradient of the variance that a layer passes on
        for layer, reach in zip(reversed(self.passed), reversed(by_reach), strict=True):
            units = layer.units
            if g_above is not None:
                reach.injected.add_(g_above)
                reach.gate.addcmul_(units.gate * layer.variance, g_above, value=2)
            g_m, g_v = rectified_gradients(units, g_mu, reach.gate, reach.injected)
            if g_above is not None:
                g_v.addcmul_(units.gate.square(), g_above)
            by_square = products(layer.variance_below.mT, g_v)
            by_weights.append(
                reach.weight.baddbmm_(layer.mean_below.mT, g_m).addcmul_(by_square, layer.weight, value=2)
            )
            by_biases.append(g_m.sum(1, keepdim=True))
            g_mu, g_above = products(g_m, layer.weight.mT), products(g_v, layer.square.mT)
        if g_above is None:
            g_above = products(g_variance, self.top_square.mT)  # no layer passes anything on
        # what is left of the variance is odds h² of the dropped units
        g_mu.addcmul_(g_above, self.known[-1], value=2 * self.odds)
        if g_h is not None:
            g_mu.add_(g_h)
        for weight, below, h in zip(reversed(self.known_weights), self.known[-2::-1], self.known[:0:-1], strict=True):
            g_a = torch.ops.aten.threshold_backward(g_mu, h, 0)
            by_weights.append(products(below.mT, g_a))
            by_biases.append(g_a.sum(1, keepdim=True))
            if below is not self.known[0]:
                g_mu = products(g_a, weight.mT)
        return [*reversed(by_weights), *reversed(by_biases)]

    def _back_up(self, g_variance: Tensor, by_top: Tensor) -> "tuple[Tensor | None, list[_ByReach]]":
        """What the way down adds: the gradient of the dropped units, and for each layer that of weight, gate and J."""
        if not self.passed:
            return None, []
        g = g_variance.mT.unsqueeze(-1)  # (K, d, b, 1)
        g_u = self.dropped.mul_(g * (2 * self.odds))
        g_h = _over_outputs(g_u * self.reach[0])
        g_u.mul_(self.known[-1].unsqueeze(1))
        found: list[_ByReach] = []
        for layer, u, gated in zip(self.passed, self.reach[1:], self.gated, strict=True):
            gate, injected = layer.units.gate.unsqueeze(1), layer.units.injected.unsqueeze(1)
            by_weight = products(_by_row(g_u).mT, gated)
            g_gated = _by_output(products(_by_row(g_u), layer.weight), len(g[0]))
            by_gate = _over_outputs(g_gated * u)
            g_u = g_gated.mul_(gate)
            if layer is self.passed[-1]:
                by_top.add_(g_u.sum(2).mT)
                found.append(_ByReach(by_weight, by_gate, products(g_variance, self.top_square.mT)))
            else:
                weighted = u * g
                found.append(_ByReach(by_weight, by_gate, _over_outputs(weighted * u)))
                g_u.addcmul_(weighted, injected, value=2)
        return g_h, found


class _ByReach(NamedTuple):
    """Gradients that one layer gets from the way down."""

    weight: Tensor
    gate: Tensor
    injected: Tensor


def _passed_on(layer: _Passed) -> Tensor:
    """The variance above a layer: what arises in it and what comes through its gates."""
    return torch.addcmul(layer.units.injected, layer.units.gate.square(), layer.variance)


def _by_row(u: Tensor) -> Tensor:
    return u.flatten(1, 2)  # (K, d, b, w) → (K, d b, w)


def _by_output(rows: Tensor, n_outputs: int) -> Tensor:
    return rows.view(len(rows), n_outputs, -1, rows.shape[-1])  # `unflatten` goes through Python


def _over_outputs(u: Tensor) -> Tensor:
    return u.squeeze(1) if u.shape[1] == 1 else u.sum(1)
