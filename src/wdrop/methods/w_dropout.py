from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torch import Generator

from wdrop._checks import at_least
from wdrop._random import seed_from
from wdrop.losses.wasserstein import wasserstein_dropout_loss, wasserstein_dropout_slopes
from wdrop.methods.method import Method
from wdrop.methods.sampled import SampledPredictor
from wdrop.nets.slopes import DrawnLoss
from wdrop.nets.stacked import MLP, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class WDropout(Method):
    """Wasserstein dropout: the sub-networks are trained so that their spread matches the noise in the data.

    Sicking et al., "Wasserstein Dropout". `n_draws` is the paper's L, the sub-networks drawn in each step: 5 on
    tables, 10 on toy sets. It sets the scale of std (`wasserstein_dropout_loss`), and is no mere accuracy knob.
    """

    net: MLP = MLP()
    training: Training = Training()
    n_draws: int = 5
    n_samples: int = 200

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        at_least(2, n_draws=self.n_draws, n_samples=self.n_samples)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        loss = DrawnLoss(self.n_draws, wasserstein_dropout_loss, wasserstein_dropout_slopes)
        stack = train_stack(loss, self.net, self.training, trains, seeds=seeds, progress=progress)
        return [SampledPredictor(stack.network(k), self.n_samples) for k in range(len(stack))]
