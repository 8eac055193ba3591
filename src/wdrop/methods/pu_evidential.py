from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torch import Generator, Tensor, nn

from wdrop._random import seed_from
from wdrop.losses.evidential import NormalInverseGamma, evidential_nll, evidential_regulariser
from wdrop.methods.method import Method
from wdrop.moments.forward import forward
from wdrop.nets.heads import evidential_head
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor

LAMBDA, PUBLISHED_LAMBDA = 1e-2, 1e-3


@final
@dataclass(frozen=True, kw_only=True)
class PUEvidential(Method):
    """Deep evidential regression: the network puts out a prior over mean and variance of y.

    Amini et al. 2020. The loss is the Student-t likelihood plus `regularisation` |y - gamma| (2 nu + alpha). None is
    1e-2, as the Wasserstein dropout paper says; `as_published=True` makes it 1e-3, as its code has it.
    """

    net: MLP = MLP(dropout=0)
    training: Training = Training()
    regularisation: float | None = None
    as_published: bool = False

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        stack = train_stack(
            self._loss, self.net, self.training, trains, seeds=seeds, outputs_per_target=4, progress=progress
        )
        return [EvidentialPredictor(stack.network(k)) for k in range(len(stack))]

    def _loss(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        prior = evidential_head(stack.draw(x, 1, masks).squeeze(0))
        weight = self.regularisation
        if weight is None:
            weight = PUBLISHED_LAMBDA if self.as_published else LAMBDA
        return evidential_nll(prior, y) + weight * evidential_regulariser(prior, y)


@final
@dataclass(frozen=True, eq=False)
class EvidentialPredictor(Predictor):
    """A network with an evidential head; std is that of the Student-t, split into noise and doubt."""

    net: nn.Module

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        prior = self.prior(x)
        return Prediction.of_parts(prior.gamma, prior.aleatoric_variance.sqrt(), prior.epistemic_variance.sqrt())

    def prior(self, x: Tensor) -> NormalInverseGamma:
        """The prior over mean and variance at each row of x."""
        return evidential_head(forward(self.net, x))
