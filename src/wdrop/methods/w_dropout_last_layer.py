from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._random import seed_from
from wdrop.methods.method import Method
from wdrop.methods.w_dropout_closed import ClosedFormLoss
from wdrop.moments.sampled import sample
from wdrop.nets.stacked import MLP, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.nets.wasserstein_head import dropout_std
from wdrop.prediction import Points, Prediction, Predictor

_ROWS_AT_ONCE = 2048  # enough to feed the matrix products; more leave the cache


@final
@dataclass(frozen=True, kw_only=True)
class WDropoutLastLayer(Method):
    """Wasserstein dropout before the last layer only: mean and std are exact, nothing is drawn, one pass.

    Ours, not the paper's. Trained with `closed_form_loss` on the exact moments. Three hidden layers by default: the
    features must encode mean and spread at once, and two are too few. `effective_L` makes std bolder or more cautious.
    """

    net: MLP = MLP(depth=3, last_layer_only=True)
    training: Training = Training()
    effective_L: int | None = None  # noqa: N815

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        if not self.net.last_layer_only:
            raise ValueError("expected a net with last_layer_only=True, got False; see w_dropout for all layers")

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        loss = ClosedFormLoss(self.effective_L)  # whose moments are exact here
        stack = train_stack(loss, self.net, self.training, trains, seeds=seeds, progress=progress)
        return [LastLayerPredictor(stack.network(k)) for k in range(len(stack))]


@final
@dataclass(frozen=True, eq=False)
class LastLayerPredictor(Predictor):
    """A network that ends in dropout and a linear layer, asked once; samples are drawn only if they are to be kept."""

    net: nn.Sequential

    @torch.no_grad()
    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        *body, dropout, last = self.net
        assert isinstance(dropout, nn.Dropout)
        assert isinstance(last, nn.Linear)
        features = nn.Sequential(*body)
        mean, std = (last.weight.new_empty(len(x), last.out_features) for _ in range(2))  # lest parts litter the heap
        for rows, its_mean, its_std in zip(*(part.split(_ROWS_AT_ONCE) for part in (x, mean, std)), strict=True):
            h = features(rows)
            its_mean.copy_(last(h))
            its_std.copy_(dropout_std(h.square() @ last.weight.square().T, dropout.p))
        samples = sample(self.net, x, generator=generator) if keep_samples else None
        return Prediction(mean, std, samples)
