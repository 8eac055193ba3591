"""Several predictors out of one fit, to be told apart in the records by their way.

A dropout network can be asked by draws or in closed form; a cross-fitted method can be calibrated by any map. Neither
needs another training.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import final

from torch import Generator, Tensor, nn

from wdrop._checks import known
from wdrop.calibration import CALIBRATIONS
from wdrop.methods import CrossFitted, Method
from wdrop.methods.sampled import SampledPredictor
from wdrop.moments.closed_form import closed_form_prediction, diagonal_moments
from wdrop.moments.linearised import linearised_moments
from wdrop.nets.training import Progress
from wdrop.prediction import Points, Prediction, Predictor

TRUTH = "10000 draws"
"""What the other ways of asking a dropout network are held against."""

Ask = Callable[[nn.Module], Predictor]


@final
@dataclass(frozen=True, eq=False)
class MomentsPredictor(Predictor):
    """A dropout network asked by one of the ways that draw nothing."""

    moments: Callable[[nn.Module, Tensor], Prediction]
    net: nn.Module

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return self.moments(self.net, x)


ASKED: Mapping[str, Ask] = MappingProxyType(
    {
        TRUTH: partial(SampledPredictor, n_samples=10_000),
        "200 draws": partial(SampledPredictor, n_samples=200),
        "closed_form": partial(MomentsPredictor, closed_form_prediction),
        "linearised": partial(MomentsPredictor, linearised_moments),
        "diagonal": partial(MomentsPredictor, diagonal_moments),
    }
)
"""The ways to ask a dropout network."""

CALIBRATED = ("raw", *CALIBRATIONS, "ensemble raw", *(f"ensemble {name}" for name in CALIBRATIONS))
"""The ways to calibrate a cross-fitted method, "ensemble" with its inner networks as the predictor."""


def check_ways(method: Method, ways: Sequence[str]) -> None:
    """Refuse a way that the method does not have."""
    for way in ways:
        known("way", way, CALIBRATED if isinstance(method, CrossFitted) else ASKED)


def fit_ways(
    method: Method,
    ways: Sequence[str],
    trains: Sequence[Points],
    generators: Sequence[Generator],
    progress: Progress,
) -> list[dict[str, Predictor]]:
    """For each set of points its predictors by way; the only way of a method without ways is ""."""
    if isinstance(method, CrossFitted) and ways:
        return method.fit_alternatives(trains, ways, generators=generators, progress=progress)
    predictors = method.fit_many(trains, generators=generators, progress=progress)
    if not ways:
        return [{"": predictor} for predictor in predictors]
    return [{way: ASKED[way](_network(predictor)) for way in ways} for predictor in predictors]


def _network(predictor: Predictor) -> nn.Module:
    net = getattr(predictor, "net", None)
    if not isinstance(net, nn.Module):
        raise ValueError(f"expected a method with a dropout network for several ways, got {type(predictor).__name__}")
    return net
