"""The matrix products of a training step and nothing else: the limit that arithmetic sets to it."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from wdrop._random import generator_for


@dataclass(frozen=True)
class Shape:
    """K networks in one stack, and what one of their steps sees."""

    n_networks: int
    n_draws: int
    batch: int = 100
    n_features: int = 8
    width: int = 100
    depth: int = 2
    n_targets: int = 1

    @property
    def layers(self) -> list[tuple[int, int, int]]:
        """Rows, inputs and outputs of each layer; what lies before the first dropout is computed once for all draws."""
        sizes = [self.n_features, *[self.width] * self.depth, self.n_targets]
        rows = [self.batch, *[self.n_draws * self.batch] * self.depth]
        return [(b, n_in, n_out) for b, (n_in, n_out) in zip(rows, pairwise(sizes), strict=True)]

    @property
    def operations(self) -> int:
        """Multiplications and additions of a step: way up, gradients of the weights, and of all inputs but the data."""
        products = [2 * b * n_in * n_out for b, n_in, n_out in self.layers]
        return self.n_networks * (3 * sum(products) - products[0])


def bare_products(shape: Shape, n_steps: int) -> Callable[[], None]:
    """The products of so many steps, each written to memory that is there."""
    products = [product for layer in range(len(shape.layers)) for product in _of_layer(shape, layer)]

    def run() -> None:
        for _ in range(n_steps):
            for a, b, out in products:
                torch.bmm(a, b, out=out)

    return run


def _of_layer(shape: Shape, layer: int) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Factors and place of each product: outputs, gradient of the weights, gradient of the inputs."""
    b, n_in, n_out = shape.layers[layer]
    generator, k = generator_for("bare", layer), shape.n_networks
    h, weight, grad = (torch.randn(k, *size, generator=generator) for size in ((b, n_in), (n_in, n_out), (b, n_out)))
    found = [(h, weight, torch.empty_like(grad)), (h.mT, grad, torch.empty_like(weight))]
    return found if layer == 0 else [*found, (grad, weight.mT, torch.empty_like(h))]
