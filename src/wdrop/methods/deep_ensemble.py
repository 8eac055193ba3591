from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop.methods.members import for_each_member, in_groups
from wdrop.methods.method import Method
from wdrop.methods.sampled import dropout_squared_error
from wdrop.moments.forward import forward
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class DeepEnsemble(Method):
    """Several networks trained on squared error from different starts; std is their disagreement (ddof 1).

    The paper's DE. It knows nothing of noise in the data: where all members agree on a noisy mean, std is small.
    """

    net: MLP = MLP(dropout=0)
    training: Training = Training()
    n_members: int = 5

    def __post_init__(self) -> None:
        at_least(2, n_members=self.n_members)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        sets, seeds = for_each_member(trains, generators, self.n_members)
        stack = train_stack(dropout_squared_error, self.net, self.training, sets, seeds=seeds, progress=progress)
        networks = [stack.network(k) for k in range(len(stack))]
        return [EnsemblePredictor(members) for members in in_groups(networks, self.n_members)]


@final
@dataclass(frozen=True, eq=False)
class EnsemblePredictor(Predictor):
    """Networks that are asked one by one; their answers are the samples."""

    members: Sequence[nn.Module]

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        samples = torch.stack([forward(member, x) for member in self.members])
        return Prediction(samples.mean(0), samples.std(0), samples if keep_samples else None)
