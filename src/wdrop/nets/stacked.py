"""K small networks trained as one: every layer is one batched matrix product."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least, probability
from wdrop.nets.masks import MaskStreams
from wdrop.nets.passes import down, draw_fixed, up


@final
@dataclass(frozen=True, kw_only=True)
class MLP:
    """A multi-layer perceptron with ReLU: `depth` hidden layers of `width` units.

    `dropout` is the rate after each hidden layer; with `last_layer_only` after the last one alone.
    """

    width: int = 100
    depth: int = 2
    dropout: float = 0.1
    last_layer_only: bool = False

    def __post_init__(self) -> None:
        at_least(1, width=self.width, depth=self.depth)
        probability(dropout=self.dropout)

    @property
    def rates(self) -> tuple[float, ...]:
        """The drop rate behind each hidden layer."""
        first = 0.0 if self.last_layer_only else self.dropout
        return (first,) * (self.depth - 1) + (self.dropout,)

    def sizes(self, n_features: int, n_outputs: int) -> list[int]:
        return [n_features, *[self.width] * self.depth, n_outputs]


def needs_dropout(net: MLP) -> None:
    """Refuse a network without dropout where a method lives by it."""
    if net.dropout == 0:
        raise ValueError("expected net.dropout above 0, got 0; without dropout there are no sub-networks to draw")


class StackedDropout(nn.Module, ABC):
    """ReLU and what drops units behind one hidden layer, for all networks of a stack."""

    @abstractmethod
    def forward(self, a: Tensor, n_draws: int, masks: MaskStreams) -> Tensor:
        """Units (K, n_draws, b, w) out of pre-activations (K, 1 or n_draws, b, w)."""

    @abstractmethod
    def modules_of(self, k: int) -> list[nn.Module]:
        """What network k has between two of its layers, when it stands by itself."""


MakeDropout = Callable[[float, int, torch.dtype], StackedDropout]
"""Drop rate, number of networks, their type → what drops their units."""


@final
class FixedDropout(StackedDropout):
    """Bernoulli dropout with one rate for all networks."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, a: Tensor, n_draws: int, masks: MaskStreams) -> Tensor:
        if self.p == 0:
            return a.relu()
        return a.relu() * masks.keep((n_draws, *a.shape[2:]), self.p, a.dtype) / (1 - self.p)

    def modules_of(self, k: int) -> list[nn.Module]:
        return [nn.ReLU(), nn.Dropout(self.p)] if self.p > 0 else [nn.ReLU()]


def fixed_dropout(p: float, n_networks: int, dtype: torch.dtype) -> StackedDropout:
    """The dropout of all methods but those that learn their rates."""
    return FixedDropout(p)


class Stack(nn.Module):
    """K networks of one shape.

    weights   one (K, in, out) per layer
    biases    one (K, 1, out) per layer
    dropouts  one per hidden layer
    n_points  (K,), how many points each is trained on, for losses that depend on it
    """

    n_points: Tensor

    def __init__(self, weights: Sequence[Tensor], biases: Sequence[Tensor], dropouts: Sequence[StackedDropout]) -> None:
        super().__init__()
        self.weights = nn.ParameterList(weights)
        self.biases = nn.ParameterList(biases)
        self.dropouts = nn.ModuleList(dropouts)
        self.register_buffer("n_points", torch.zeros(len(weights[0])))

    @classmethod
    def initial(
        cls,
        net: MLP,
        n_features: int,
        n_outputs: int,
        *,
        generators: Sequence[Generator],
        dtype: torch.dtype,
        make_dropout: MakeDropout = fixed_dropout,
    ) -> "Stack":
        """Fresh networks, each from its own stream: weights and biases U(-1/√in, 1/√in), PyTorch's default."""
        sizes = net.sizes(n_features, n_outputs)
        networks = [_uniform_layers(sizes, generator, dtype) for generator in generators]
        weights, biases = (
            [torch.stack(layer) for layer in zip(*part, strict=True)] for part in zip(*networks, strict=True)
        )
        return cls(weights, biases, [make_dropout(p, len(generators), dtype) for p in net.rates])

    def __len__(self) -> int:
        return len(self.weights[0])

    @cached_property
    def layers(self) -> tuple[nn.Parameter, ...]:
        """All weights, then all biases; a list of modules would look each of them up by name, at every step."""
        return *self.weights, *self.biases

    @cached_property
    def fixed_rates(self) -> list[float] | None:
        """The drop rate behind each hidden layer, None where some are learned."""
        rates = [dropout.p for dropout in self.dropouts if isinstance(dropout, FixedDropout)]
        return rates if len(rates) == len(self.dropouts) else None

    def draw(self, x: Tensor, n_draws: int, masks: MaskStreams) -> Tensor:
        """Outputs of `n_draws` sub-networks, with a mask per row and draw.

        x (K, b, f) → (n_draws, K, b, d)

        What lies before the first dropout is computed once for all draws.
        """
        if self.fixed_rates is not None:
            out = draw_fixed(x, self.layers, self.fixed_rates, n_draws, masks)
        else:
            h = x.unsqueeze(1)  # (K, 1, b, ·) until the first dropout, (K, n_draws, b, ·) from there on
            for weight, bias, dropout in zip(self.weights, self.biases, self.dropouts, strict=False):
                h = dropout(_linear(h, weight, bias), n_draws, masks)
            out = _linear(h, self.weights[-1], self.biases[-1]).transpose(0, 1)
        return out if len(out) == n_draws else out.expand(n_draws, -1, -1, -1)

    @torch.no_grad()
    def descend(self, x: Tensor, n_draws: int, masks: MaskStreams, slopes: Callable[[Tensor], Tensor]) -> None:
        """Set the gradients of all parameters, where `slopes` turns outputs (n_draws, K, b, d) into their gradients.

        What `draw` and autograd would do together, without the latter. For fixed drop rates, and several draws only
        where some of them are above 0.
        """
        assert self.fixed_rates is not None
        drawn = up(x, self.layers, self.fixed_rates, n_draws, masks)
        weights = self.layers[: len(self.layers) // 2]
        for parameter, grad in zip(self.layers, down(slopes(drawn.out), weights, *drawn[1:]), strict=True):
            parameter.grad = grad

    def answer(self, x: Tensor) -> Tensor:
        """What each network says of the same rows, nothing dropped: (n, f) → (K, n, d)."""
        h = x.expand(len(self), -1, -1)
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            h = torch.baddbmm(bias, h, weight).relu_()
        return torch.baddbmm(self.biases[-1], h, self.weights[-1])

    def flat(self) -> Tensor:
        """Weights and biases of each network in a row: (K, P)."""
        return torch.cat([parameter.detach().flatten(1) for parameter in (*self.weights, *self.biases)], 1)

    def with_weights(self, flat: Tensor) -> "Stack":
        """Networks of this shape without dropout, with weights and biases out of the rows of `flat`: (K', P)."""
        like = [*self.weights, *self.biases]
        pieces = flat.split([parameter[0].numel() for parameter in like], 1)
        tensors = [piece.view(-1, *parameter.shape[1:]) for piece, parameter in zip(pieces, like, strict=True)]
        n_layers = len(self.weights)
        return Stack(tensors[:n_layers], tensors[n_layers:], [FixedDropout(0) for _ in self.dropouts])

    def take(self, rows: Sequence[int]) -> "Stack":
        """A copy of some of the networks."""
        part = copy.deepcopy(self)
        for parameter in part.parameters():
            parameter.data = parameter.data[list(rows)]
        part.n_points = self.n_points[list(rows)]
        return part

    @torch.no_grad()
    def put(self, rows: Sequence[int], networks: "Stack") -> None:
        """Overwrite some of the networks."""
        for mine, theirs in zip(self.parameters(), networks.parameters(), strict=True):
            mine[list(rows)] = theirs

    def network(self, k: int) -> nn.Sequential:
        """Network k by itself, on the CPU and in eval mode: Linear, ReLU, Dropout, ..., Linear."""
        layers: list[nn.Module] = []
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            linear = nn.Linear(weight.shape[1], weight.shape[2], dtype=weight.dtype, device="meta")
            # copies, lest one network keep the whole stack alive
            linear.weight = nn.Parameter(weight[k].detach().T.cpu().clone(memory_format=torch.contiguous_format))
            linear.bias = nn.Parameter(bias[k, 0].detach().cpu().clone())
            layers.append(linear)
            if i < len(self.dropouts):
                dropout = self.dropouts[i]
                assert isinstance(dropout, StackedDropout)
                layers += dropout.modules_of(k)
        return nn.Sequential(*layers).eval()


def _uniform_layers(
    sizes: Sequence[int], generator: Generator, dtype: torch.dtype
) -> tuple[list[Tensor], list[Tensor]]:
    weights, biases = [], []
    for n_in, n_out in pairwise(sizes):
        bound = 1 / sqrt(n_in)
        weights.append(torch.empty(n_in, n_out, dtype=dtype).uniform_(-bound, bound, generator=generator))
        biases.append(torch.empty(1, n_out, dtype=dtype).uniform_(-bound, bound, generator=generator))
    return weights, biases


def _linear(h: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """One layer of all networks, (K, s, b, in) → (K, s, b, out)."""
    flat = torch.bmm(h.flatten(1, 2), weight).add_(bias)
    return flat.view(*h.shape[:-1], -1)
