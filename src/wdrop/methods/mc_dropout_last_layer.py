from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torch import Generator

from wdrop._checks import at_least
from wdrop._random import seed_from
from wdrop.methods.method import Method
from wdrop.methods.sampled import SampledPredictor, dropout_squared_error
from wdrop.nets.stacked import MLP, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class MCDropoutLastLayer(Method):
    """Monte Carlo dropout before the last layer only; no weight decay and nothing added to the variance.

    The paper's MC-LL, which it shows in figures and leaves undefined; this is what its code does.
    """

    net: MLP = MLP(last_layer_only=True)
    training: Training = Training()
    n_samples: int = 200

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        at_least(2, n_samples=self.n_samples)
        if not self.net.last_layer_only:
            raise ValueError("expected a net with last_layer_only=True, got False; see mc_dropout for all layers")

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        stack = train_stack(dropout_squared_error, self.net, self.training, trains, seeds=seeds, progress=progress)
        return [SampledPredictor(stack.network(k), self.n_samples) for k in range(len(stack))]
