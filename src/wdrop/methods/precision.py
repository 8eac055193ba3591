from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor

from wdrop.methods.method import Method
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Prediction, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class SinglePrecision(Method):
    """Any method, its networks in single precision whatever the points are in.

    Inside `Scaled`, tables in double precision are standardised as such, and a year or an amount in millions loses no
    digit; the networks, which see standardised numbers, are as fast as they can be.
    """

    method: Method

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        singles = [train.to(torch.float32) for train in trains]
        predictors = self.method.fit_many(singles, generators=generators, progress=progress)
        return [PrecisionPredictor(predictor, torch.empty(0)) for predictor in predictors]


@final
@dataclass(frozen=True, eq=False)
class PrecisionPredictor(Predictor):
    """A predictor that computes in the precision of the empty tensor `like`, whatever x is in."""

    predictor: Predictor
    like: Tensor

    @property
    def facts(self) -> Mapping[str, float]:
        return self.predictor.facts

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return self.predictor.predict(x.to(self.like.dtype), generator=generator, keep_samples=keep_samples)
