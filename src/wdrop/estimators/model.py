"""A fitted table model: columns in, mean, std and quantiles out. Works without scikit-learn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, final

import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.calibration import CVPlus, gaussian_quantiles
from wdrop.estimators.columns import Columns
from wdrop.methods.calibrated import CalibratedPredictor, CVPlusPredictor, each_predicts
from wdrop.methods.packing import cast
from wdrop.prediction import Prediction, Predictor


class Forecast(NamedTuple):
    """A prediction (n, d), and quantiles of y at the levels asked for (q, n, d)."""

    prediction: Prediction
    quantiles: Tensor


@final
@dataclass(frozen=True, eq=False)
class TableModel:
    """What a fitted `Regressor` knows, and what a model file holds.

    columns    from a table to features
    predictor  from features to a prediction, in the user's units, calibration included
    targets    their names
    is_flat    whether y was given as (n,) and is to be returned so
    seed       names the stream of every prediction: the same table gives the same answer, always
    summary    how it was trained, as plain values
    estimator  the parameters of the `Regressor` that made it, as plain values
    """

    columns: Columns
    predictor: Predictor
    targets: tuple[str, ...]
    is_flat: bool
    seed: int
    summary: Mapping[str, Any] = field(default_factory=dict)
    estimator: Mapping[str, Any] = field(default_factory=dict)

    def predict(self, table: Any, *, double: bool = True, keep_samples: bool = False) -> Prediction:
        """Mean and std for each row of a table: a frame, a dictionary of columns or a matrix.

        In double precision a row's numbers do not depend on the rows beside it, up to 1e-12 or so; in single precision
        up to 1e-6, at half the time.
        """
        x, predictor = self._ready(table, double)
        return predictor.predict(x, generator=self._stream(), keep_samples=keep_samples)

    def forecast(self, table: Any, levels: Sequence[float], *, double: bool = True) -> Forecast:
        """The prediction and these quantiles, in one go; calibrated where the model is, else Gaussian."""
        x, predictor = self._ready(table, double)
        if isinstance(predictor, CalibratedPredictor):
            raw = predictor.predictor.predict(x, generator=self._stream())
            return Forecast(predictor.calibration.apply(raw), predictor.calibration.quantiles(raw, levels))
        if isinstance(predictor, CVPlusPredictor):
            told = each_predicts(predictor.members, x, self._stream())
            ends = [_cv_plus_quantile(predictor.cv_plus, told, level) for level in levels]
            return Forecast(predictor.cv_plus.apply(told), torch.stack(ends))
        prediction = predictor.predict(x, generator=self._stream())
        return Forecast(prediction, gaussian_quantiles(prediction, levels))

    def _ready(self, table: Any, double: bool) -> tuple[Tensor, Predictor]:
        return torch.from_numpy(self.columns.encode(table)), self._in_double if double else self.predictor

    @cached_property
    def _in_double(self) -> Predictor:
        try:
            return cast(self.predictor, torch.float64)
        except TypeError:  # a predictor of the user's own, which nobody can take apart
            return self.predictor

    def _stream(self) -> torch.Generator:
        return generator_for("predict", self.seed)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_in_double"}


def _cv_plus_quantile(cv_plus: CVPlus, told: Sequence[Prediction], level: float) -> Tensor:
    """An end of the interval that leaves that much of y below; the median is the middle of the narrowest."""
    around = 2 * level - 1
    if around == 0:
        return cv_plus.apply(told).mean
    interval = cv_plus.interval(told, abs(around))
    return interval.lower if around < 0 else interval.upper
