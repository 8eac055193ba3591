from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final, get_args

from torch import Generator

from wdrop._checks import at_least, known
from wdrop._random import seed_from
from wdrop.methods.method import Method
from wdrop.methods.sampled import SampledPredictor, dropout_squared_error
from wdrop.nets.stacked import MLP, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Predictor

AddedVariance = Literal["gal", "published", "none"]


@final
@dataclass(frozen=True, kw_only=True)
class MCDropout(Method):
    """Monte Carlo dropout: dropout stays on at prediction time, the spread of the draws is the std.

    Gal & Ghahramani 2016. A constant 1/tau is added to the variance of the draws, from the N training points
    and lambda, for which the weight decay stands (prior length scale 1, in the units of training):

    "gal"        1/tau = 2 N weight_decay / (1 - p), as Gal and Ghahramani derive it
    "published"  1/tau = 2 N weight_decay / p, p the drop rate, as in the code behind the Wasserstein dropout
                 paper: 9 times larger at p = 0.1
    "none"       nothing

    `as_published=True` takes "published". Both put lambda equal to Adam's weight decay, as is common; for the loss that
    is minimised here, (y - f)² with decay on ½ |W|², the strict derivation gives a quarter of "gal". Either constant
    grows with N and cannot follow noise that varies with x.
    """

    net: MLP = MLP()
    training: Training = Training(weight_decay=1e-6)
    n_samples: int = 200
    added_variance: AddedVariance = "gal"
    as_published: bool = False

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        at_least(2, n_samples=self.n_samples)
        known("added variance", self.added_variance, get_args(AddedVariance))

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        stack = train_stack(dropout_squared_error, self.net, self.training, trains, seeds=seeds, progress=progress)
        return [
            SampledPredictor(stack.network(k), self.n_samples, self.inverse_tau(train.size))
            for k, train in enumerate(trains)
        ]

    def inverse_tau(self, n_points: float) -> float:
        """The variance added to that of the draws, after training on so many points."""
        form = "published" if self.as_published else self.added_variance
        p = self.net.dropout
        if form == "none":
            return 0.0
        return 2 * n_points * self.training.weight_decay / (p if form == "published" else 1 - p)
