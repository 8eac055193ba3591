from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop.losses.squared import squared_error, squared_error_slopes
from wdrop.moments.sampled import sample, sampled_moments
from wdrop.nets.concrete import ConcreteDropout
from wdrop.nets.slopes import DrawnLoss
from wdrop.prediction import Prediction, Predictor


@final
@dataclass(frozen=True, eq=False)
class SampledPredictor(Predictor):
    """A dropout network that predicts by drawing sub-networks.

    `added_variance` is noise that the method assumes on top of the spread of the draws; the spread is then its doubt.
    """

    net: nn.Module
    n_samples: int
    added_variance: float = 0.0

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        if keep_samples:
            samples = sample(self.net, x, self.n_samples, generator=generator)
            mean, std = samples.mean(0), samples.std(0)
        else:
            samples = None
            drawn = sampled_moments(self.net, x, self.n_samples, generator=generator)
            mean, std = drawn.mean, drawn.std
        if self.added_variance == 0:
            return Prediction(mean, std, samples)
        return Prediction.of_parts(mean, torch.full_like(std, self.added_variance**0.5), std, samples)

    @property
    def facts(self) -> dict[str, float]:
        learned = [module for module in self.net.modules() if isinstance(module, ConcreteDropout)]
        return {f"drop_rate_{i}": float(module.p.detach()) for i, module in enumerate(learned, 1)}


def _of_one_draw(samples: Tensor, y: Tensor) -> Tensor:
    return squared_error(samples.squeeze(0), y)


dropout_squared_error = DrawnLoss(1, _of_one_draw, squared_error_slopes)
"""Squared error of one sub-network per point, the loss of every MC dropout."""
