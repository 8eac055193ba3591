from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor

from wdrop._checks import at_least
from wdrop._random import generator_for, seed_from
from wdrop.methods.method import Method
from wdrop.methods.sampled import dropout_squared_error
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor

_ROWS_AT_ONCE = 4096


@final
@dataclass(frozen=True, kw_only=True)
class SWAG(Method):
    """A Gaussian over weights, fitted to the snapshots of the second half of training; std is that of 50 networks.

    Maddox et al. 2019. weights ~ mean + √½ √diag z₁ + D z₂/√(2 (rank - 1)), where D holds the last `rank` deviations
    from the running mean; a snapshot each epoch. `as_published=True` counts a zero vector as the first snapshot, as
    the code behind the Wasserstein dropout paper does: the mean shrinks, the diagonal grows.
    """

    net: MLP = MLP(dropout=0)
    training: Training = Training()
    n_samples: int = 50
    rank: int = 20
    as_published: bool = False

    def __post_init__(self) -> None:
        at_least(2, n_samples=self.n_samples, rank=self.rank)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        snapshots = Snapshots(len(trains), self.training.epochs // 2, self.rank, int(self.as_published))
        stack = train_stack(
            dropout_squared_error, self.net, self.training, trains, seeds=seeds, at_epoch_end=snapshots.collect,
            progress=progress,
        )  # fmt: skip
        shape = stack.take([0]).cpu()
        return [SWAGPredictor(shape, snapshots.weights(k), self.n_samples) for k in range(len(stack))]


@final
@dataclass(frozen=True, eq=False)
class GaussianWeights:
    """A Gaussian over the weights of one network, its covariance half diagonal, half of low rank.

    mean, diagonal  (P,), the diagonal a variance
    deviations      (rank, P)
    """

    mean: Tensor
    diagonal: Tensor
    deviations: Tensor

    def draw(self, n: int, generator: Generator) -> Tensor:
        """Weights (n, P)."""
        rank = len(self.deviations)
        kind = {"generator": generator, "dtype": self.mean.dtype}
        own = torch.randn(n, len(self.mean), **kind) * (self.diagonal / 2).sqrt()  # type: ignore[call-overload]
        shared = torch.randn(n, rank, **kind) @ self.deviations  # type: ignore[call-overload]
        return self.mean + own + shared / (2 * max(rank - 1, 1)) ** 0.5


class Snapshots:
    """Running moments of the weights of K networks, and their last deviations."""

    def __init__(self, n_networks: int, first_epoch: int, rank: int, n_before: int) -> None:
        self.first_epoch = first_epoch
        self.rank = rank
        self.n_before = n_before
        self.n_epochs = [0] * n_networks
        self.mean: list[Tensor] = []
        self.square: list[Tensor] = []
        self.deviations: list[list[Tensor]] = [[] for _ in range(n_networks)]

    def collect(self, stack: Stack, places: Sequence[int], numbers: Sequence[int]) -> None:
        """Take a snapshot of the networks that have just ended an epoch, if they are in the second half."""
        weights = stack.flat().cpu()
        if not self.mean:
            self.mean = [torch.zeros_like(weights[0]) for _ in self.n_epochs]
            self.square = [torch.zeros_like(weights[0]) for _ in self.n_epochs]
        for place, k in zip(places, numbers, strict=True):
            self.n_epochs[k] += 1
            n = self.n_epochs[k] - self.first_epoch + self.n_before
            if self.n_epochs[k] <= self.first_epoch:
                continue
            self.mean[k] += (weights[place] - self.mean[k]) / n
            self.square[k] += (weights[place].square() - self.square[k]) / n
            self.deviations[k] = [*self.deviations[k], weights[place] - self.mean[k]][-self.rank :]

    def weights(self, k: int) -> GaussianWeights:
        diagonal = (self.square[k] - self.mean[k].square()).clamp_min(1e-30)
        return GaussianWeights(self.mean[k], diagonal, torch.stack(self.deviations[k]))


@final
@dataclass(frozen=True, eq=False)
class SWAGPredictor(Predictor):
    """Networks drawn from a Gaussian over weights; `shape` is any network of the right shape."""

    shape: Stack
    weights: GaussianWeights
    n_samples: int

    @torch.no_grad()
    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        stream = generator_for(seed_from(generator))
        networks = self.shape.with_weights(self.weights.draw(self.n_samples, stream))
        samples = torch.cat([networks.answer(rows) for rows in x.split(_ROWS_AT_ONCE)], 1)
        return Prediction(samples.mean(0), samples.std(0, correction=0), samples if keep_samples else None)
