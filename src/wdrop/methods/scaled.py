from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from torch import Generator, Tensor

from wdrop.data.scaling import Scaler
from wdrop.methods.method import Method
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Prediction, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class Scaled(Method):
    """Any method, trained on standardised points, predicting in the user's units.

    The training rows of each set give its scale.
    """

    method: Method

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        scalers = [Scaler.of(train) for train in trains]
        scaled = [scaler.points(train) for scaler, train in zip(scalers, trains, strict=True)]
        predictors = self.method.fit_many(scaled, generators=generators, progress=progress)
        return [ScaledPredictor(*pair) for pair in zip(scalers, predictors, strict=True)]


@final
@dataclass(frozen=True, eq=False)
class ScaledPredictor(Predictor):
    """A predictor that lives in standardised units, used in the user's."""

    scaler: Scaler
    predictor: Predictor

    @property
    def facts(self) -> Mapping[str, float]:
        return self.predictor.facts

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        inputs = self.scaler.inputs(x)
        prediction = self.predictor.predict(inputs, generator=generator, keep_samples=keep_samples)
        return self.scaler.in_units_of_y(prediction)
