from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._random import seed_from
from wdrop.losses.closed_form import closed_form_loss, closed_form_slopes
from wdrop.losses.wasserstein import wasserstein_dropout_loss
from wdrop.methods.method import Method
from wdrop.moments.closed_form import closed_form_prediction, stacked_closed_form_moments
from wdrop.moments.stacks import descend
from wdrop.nets.masks import MaskStreams
from wdrop.nets.slopes import LossWithSlopes
from wdrop.nets.stacked import MLP, Stack, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor

_AS_LARGE = 9  # draws with which the paper's loss has its optimum where the closed form has it


@final
@dataclass(frozen=True, kw_only=True)
class WDropoutClosed(Method):
    """Wasserstein dropout behind every hidden layer, trained and asked without sampling: one pass.

    Ours, not the paper's. Trained with `closed_form_loss` on the moments of `moments.closed_form`, which take
    pre-activations for Gaussian. A network trained on an approximation learns to use its error: the std that is told
    is not the spread of the sub-networks, and the deeper the network the less. `effective_L` makes std bolder or more
    cautious.

    `drawn_share` is the share of every batch that is trained by draws instead, with the paper's loss: it keeps what is
    told nearer to the spread of the sub-networks, and costs time. The draws are `effective_L`, or 9, whose optimum
    is the true std too (0.99 of it). Prediction stays one pass.
    """

    net: MLP = MLP()
    training: Training = Training()
    effective_L: int | None = None  # noqa: N815
    drawn_share: float = 0.0

    def __post_init__(self) -> None:
        needs_dropout(self.net)
        if not 0 <= self.drawn_share < 1:
            raise ValueError(f"expected drawn_share in [0, 1), got {self.drawn_share}; w_dropout draws for all rows")

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        loss = self._mixed if self.drawn_share > 0 else ClosedFormLoss(self.effective_L)
        stack = train_stack(loss, self.net, self.training, trains, seeds=seeds, progress=progress)
        return [ClosedFormPredictor(stack.network(k)) for k in range(len(stack))]

    def _mixed(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        n = round(self.drawn_share * x.shape[1])  # the first rows: the order is random
        drawn = wasserstein_dropout_loss(stack.draw(x[:, :n], self.effective_L or _AS_LARGE, masks), y[:, :n])
        return torch.cat([drawn, ClosedFormLoss(self.effective_L)(stack, x[:, n:], y[:, n:], masks)], 1)


@final
@dataclass(frozen=True)
class ClosedFormLoss(LossWithSlopes):
    """`closed_form_loss` of the moments in closed form."""

    effective_L: int | None  # noqa: N815

    def __call__(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        mean, std = stacked_closed_form_moments(stack, x)
        return closed_form_loss(mean, std, y, effective_L=self.effective_L)

    def descend(self, stack: Stack, x: Tensor, y: Tensor, share: Tensor | float, masks: MaskStreams) -> None:
        def slopes(mean: Tensor, std: Tensor) -> tuple[Tensor, Tensor]:
            by_mean, by_std = closed_form_slopes(mean, std, y, effective_L=self.effective_L)
            return by_mean.mul_(share), by_std.mul_(share)

        descend(stack, x, slopes)


@final
@dataclass(frozen=True, eq=False)
class ClosedFormPredictor(Predictor):
    """A dropout network asked in closed form; it keeps no samples, as none are behind its mean and std."""

    net: nn.Sequential

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return closed_form_prediction(self.net, x)
