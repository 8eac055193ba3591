from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop.methods.members import for_each_member, in_groups
from wdrop.methods.method import Method
from wdrop.methods.parametric import mean_and_variance, parametric_loss
from wdrop.moments.forward import forward
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class PUEnsemble(Method):
    """Several parametric networks, taken as a mixture of Gaussians: the classic deep ensemble.

    Lakshminarayanan et al. 2017; the paper's PU-DE. Mean and variance are those of the mixture,
    mean_m σ_m² + (mean_m μ_m² - mean²). `as_published=True` as in `pu`.
    """

    net: MLP = MLP(dropout=0)
    training: Training = Training()
    n_members: int = 5
    as_published: bool = False

    def __post_init__(self) -> None:
        at_least(2, n_members=self.n_members)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        sets, seeds = for_each_member(trains, generators, self.n_members)
        loss = parametric_loss(self.as_published)
        stack = train_stack(loss, self.net, self.training, sets, seeds=seeds, outputs_per_target=2, progress=progress)
        networks = [stack.network(k) for k in range(len(stack))]
        return [MixturePredictor(members, self.as_published) for members in in_groups(networks, self.n_members)]


@final
@dataclass(frozen=True, eq=False)
class MixturePredictor(Predictor):
    """An equal mixture of the members' Gaussians."""

    members: Sequence[nn.Module]
    as_published: bool

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        raw = torch.stack([forward(member, x) for member in self.members])
        means, variances = mean_and_variance(raw, self.as_published)
        return mixture(means, variances, correction=0, keep_samples=keep_samples)


def mixture(means: Tensor, variances: Tensor, *, correction: int, keep_samples: bool = False) -> Prediction:
    """Law of total variance over the first dimension: noise is the mean variance, doubt the spread of the means.

    The samples are the means: they spread by the doubt alone.

    The spread is taken around the mean, not as a difference of squares, which in single precision can be negative.
    """
    parts = means.mean(0), variances.mean(0).sqrt(), means.std(0, correction=correction)
    return Prediction.of_parts(*parts, samples=means if keep_samples else None)
