from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop._random import generator_for, seed_from
from wdrop.methods.method import Method
from wdrop.methods.parametric import mean_and_variance, parametric_loss
from wdrop.methods.pu_ensemble import mixture
from wdrop.moments.sampled import sample
from wdrop.nets.stacked import MLP, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor

_ROWS_AT_ONCE = 8192  # of raw outputs kept for all draws


@final
@dataclass(frozen=True, kw_only=True)
class PUMC(Method):
    """A parametric network with dropout, drawn many times: noise and doubt by the law of total variance.

    Kendall & Gal 2017. variance = mean of the draws' variances + variance of the draws' means (ddof 1).
    `as_published=True` as in `pu`.
    """

    net: MLP = MLP()
    training: Training = Training()
    n_samples: int = 200
    as_published: bool = False

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        at_least(2, n_samples=self.n_samples)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        loss = parametric_loss(self.as_published)
        stack = train_stack(loss, self.net, self.training, trains, seeds=seeds, outputs_per_target=2, progress=progress)
        return [SampledMixturePredictor(stack.network(k), self.n_samples, self.as_published) for k in range(len(stack))]


@final
@dataclass(frozen=True, eq=False)
class SampledMixturePredictor(Predictor):
    """A mixture of the Gaussians that the sub-networks put out."""

    net: nn.Module
    n_samples: int
    as_published: bool

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        seed = seed_from(generator)  # names the masks, so that all chunks of rows see the same sub-networks
        parts, kept = [], []
        for rows in x.split(_ROWS_AT_ONCE):
            raw = sample(self.net, rows, self.n_samples, generator=generator_for(seed))
            means, variances = mean_and_variance(raw, self.as_published)
            parts.append(mixture(means, variances, correction=1))
            if keep_samples:
                kept.append(means)
        return Prediction.of_parts(
            torch.cat([part.mean for part in parts]),
            torch.cat([part.aleatoric for part in parts if part.aleatoric is not None]),
            torch.cat([part.epistemic for part in parts if part.epistemic is not None]),
            torch.cat(kept, 1) if keep_samples else None,
        )
