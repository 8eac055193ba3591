from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torch import Generator, Tensor, nn

from wdrop._random import seed_from
from wdrop.losses.closed_form import closed_form_loss
from wdrop.methods.method import Method
from wdrop.moments.closed_form import closed_form_prediction, stacked_closed_form_moments
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack, needs_dropout
from wdrop.nets.training import Progress, Training, silent, train_stack
from wdrop.prediction import Points, Prediction, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class WDropoutClosed(Method):
    """Wasserstein dropout behind every hidden layer, trained and asked without sampling: one pass.

    Ours, not the paper's. Trained with `closed_form_loss` on the moments of `moments.closed_form`, which take
    pre-activations for Gaussian. A network trained on an approximation learns to use its error: the std that is told
    is not the spread of the sub-networks, and the deeper the network the less. `effective_L` makes std bolder or more
    cautious.
    """

    net: MLP = MLP()
    training: Training = Training()
    effective_L: int | None = None  # noqa: N815

    def __post_init__(self) -> None:
        needs_dropout(self.net)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        stack = train_stack(self._loss, self.net, self.training, trains, seeds=seeds, progress=progress)
        return [ClosedFormPredictor(stack.network(k)) for k in range(len(stack))]

    def _loss(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        mean, std = stacked_closed_form_moments(stack, x)
        return closed_form_loss(mean, std, y, effective_L=self.effective_L)


@final
@dataclass(frozen=True, eq=False)
class ClosedFormPredictor(Predictor):
    """A dropout network asked in closed form; it keeps no samples, as none are behind its mean and std."""

    net: nn.Sequential

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return closed_form_prediction(self.net, x)
