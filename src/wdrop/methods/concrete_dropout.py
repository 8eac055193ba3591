from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor

from wdrop._checks import at_least
from wdrop._random import seed_from
from wdrop.methods.method import Method
from wdrop.methods.sampled import SampledPredictor, dropout_squared_error
from wdrop.nets.concrete import StackedConcreteDropout
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, FixedDropout, Stack, StackedDropout, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class ConcreteDropoutMethod(Method):
    """MC dropout that learns its drop rates, one per hidden layer; `net.dropout` is where they start.

    Gal, Hron & Kendall 2017. To the squared error comes, for each dropout with rate p over D units before weights W and
    biases b, with N training points,

        wr (|W|² + |b|²)/(1 - p) + dr D (p log p + (1 - p) log(1 - p)),   wr = l²/(tau N),   dr = 2/(tau N)

    with prior length scale l and a precision tau that falls with N, as the Wasserstein dropout paper's code has them.
    `as_published=True` takes dr = 2/N, as that paper's text has it.
    """

    net: MLP = MLP()
    training: Training = Training()
    n_samples: int = 200
    length_scale: float = 1e-3
    as_published: bool = False

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        at_least(2, n_samples=self.n_samples)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        stack = train_stack(
            self._loss, self.net, self.training, trains, seeds=seeds, make_dropout=learned_where_any,
            progress=progress,
        )  # fmt: skip
        return [SampledPredictor(stack.network(k), self.n_samples) for k in range(len(stack))]

    def _loss(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        # The regulariser belongs to the network, not to a point: the mean over points leaves it as it is.
        return dropout_squared_error(stack, x, y, masks) + self.regulariser(stack).view(-1, 1, 1)

    def regulariser(self, stack: Stack) -> Tensor:
        """What is added to the loss of each network, (K,)."""
        n = stack.n_points
        tau = precision(n)
        weight_factor = self.length_scale**2 / (tau * n)
        rate_factor = 2 / n if self.as_published else 2 / (tau * n)
        total = torch.zeros_like(n)
        for dropout, weight, bias in zip(stack.dropouts, stack.weights[1:], stack.biases[1:], strict=True):
            if not isinstance(dropout, StackedConcreteDropout):
                continue
            p = dropout.rates
            size = weight.square().sum((1, 2)) + bias.square().sum((1, 2))
            minus_entropy = p * p.log() + (1 - p) * (1 - p).log()
            total = total + weight_factor * size / (1 - p) + rate_factor * weight.shape[1] * minus_entropy
        return total


def learned_where_any(p: float, n_networks: int, dtype: torch.dtype) -> StackedDropout:
    """A learned rate that starts at p; none where the network has no dropout."""
    return FixedDropout(0) if p == 0 else StackedConcreteDropout(p, n_networks, dtype)


def precision(n_points: Tensor) -> Tensor:
    """The tau that the Wasserstein dropout paper's code takes for so many training points."""
    bounds = torch.tensor([800.0, 5_000.0, 10_000.0, 100_000.0], device=n_points.device)
    values = torch.tensor([2.0, 0.5, 0.05, 0.02, 0.001], device=n_points.device, dtype=n_points.dtype)
    return values[torch.bucketize(n_points.float(), bounds, right=True)]
