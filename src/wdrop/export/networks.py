"""Networks of one's own, as predictors that draw nothing."""

from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop.export.deterministic import FixedDraws, OnePass
from wdrop.methods.sampled import SampledPredictor
from wdrop.moments.forward import in_eval_mode
from wdrop.nets.wasserstein_head import WassersteinHead
from wdrop.prediction import Prediction, Predictor


@final
@dataclass(frozen=True, eq=False)
class HeadPredictor(Predictor):
    """A network that returns mean and std by itself, as one with a `WassersteinHead` at its end does."""

    net: nn.Module

    @torch.no_grad()
    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        with in_eval_mode(self.net):
            out = self.net(x)
        if not (isinstance(out, tuple) and len(out) == 2):
            raise TypeError(
                f"expected {type(self.net).__name__} to return mean and std, got {type(out).__name__}; "
                "put a WassersteinHead at its end, or make it an nn.Sequential with nn.Dropout inside"
            )
        return Prediction(*out)


def is_plain(net: nn.Module) -> bool:
    """Whether it is a chain that can be read layer by layer."""
    return type(net) is nn.Sequential


def as_predictor(net: nn.Module, draws: int | None, stream: Generator) -> Predictor:
    """The network's own mean and std, or those of its sub-networks: in closed form, or of so many fixed draws."""
    if isinstance(net, nn.Sequential) and len(net) > 0 and isinstance(net[-1], WassersteinHead):
        return HeadPredictor(net)
    if not is_plain(net):
        return HeadPredictor(net)
    return OnePass(net, 0.0) if draws is None else FixedDraws(SampledPredictor(net, draws), stream)
