from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torch import Generator, Tensor, nn

from wdrop._random import seed_from
from wdrop.methods.method import Method
from wdrop.methods.parametric import mean_and_variance, parametric_loss
from wdrop.moments.forward import forward
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class PU(Method):
    """Parametric uncertainty: the network puts out mean and variance, and is trained on the Gaussian likelihood.

    Nix & Weigend 1994. The variance is softplus(z) + 1e-6. `as_published=True` is the code behind the Wasserstein
    dropout paper: std = softplus(z)² without a floor, which now and then makes a std of zero and an NLL of millions.
    """

    net: MLP = MLP(dropout=0)
    training: Training = Training()
    as_published: bool = False

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        loss = parametric_loss(self.as_published)
        stack = train_stack(loss, self.net, self.training, trains, seeds=seeds, outputs_per_target=2, progress=progress)
        return [ParametricPredictor(stack.network(k), self.as_published) for k in range(len(stack))]


@final
@dataclass(frozen=True, eq=False)
class ParametricPredictor(Predictor):
    """A network with a Gaussian head: one pass, nothing drawn."""

    net: nn.Module
    as_published: bool

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        mean, variance = mean_and_variance(forward(self.net, x), self.as_published)
        return Prediction(mean, variance.sqrt())
