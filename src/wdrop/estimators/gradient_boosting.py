"""What to beat: quantiles of gradient-boosted trees, which need no network."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import torch
from scipy.special import ndtri
from sklearn.ensemble import HistGradientBoostingRegressor
from torch import Generator, Tensor

from wdrop._random import seed_from
from wdrop.methods import Method
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Prediction, Predictor

LOW, MIDDLE, HIGH = 0.05, 0.5, 0.95
_WIDTH = float(ndtri(HIGH) - ndtri(LOW))  # of a standard normal law: 3.29
_MOST_SEED = 2**32


@final
@dataclass(frozen=True, kw_only=True)
class GradientBoosting(Method):
    """Scikit-learn's histogram gradient boosting with its defaults, three models for each target.

    The median is taken as the mean, and what lies between the 5 % and the 95 % quantile, divided by 3.29, as the std:
    what they are under a normal law. Quantiles that cross give a std of 0.
    """

    max_iter: int = 100

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        predictors: list[Predictor] = []
        for done, (train, generator) in enumerate(zip(trains, generators, strict=True), start=1):
            seed = seed_from(generator) % _MOST_SEED
            targets = range(train.y.shape[1])
            predictors.append(BoostedPredictor([self._quantile_models(train, j, seed) for j in targets]))
            progress(done, len(trains))
        return predictors

    def _quantile_models(self, train: Points, target: int, seed: int) -> list[Any]:
        weight = None if train.weight is None else train.weight[:, target].numpy()
        return [
            HistGradientBoostingRegressor(
                loss="quantile", quantile=level, max_iter=self.max_iter, random_state=seed
            ).fit(train.x.numpy(), train.y[:, target].numpy(), sample_weight=weight)
            for level in (LOW, MIDDLE, HIGH)
        ]


@final
@dataclass(frozen=True, eq=False)
class BoostedPredictor(Predictor):
    """Three models for each target: lower, middle and upper quantile."""

    models: Sequence[Sequence[Any]]

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        told = np.array([[model.predict(x.numpy()) for model in models] for models in self.models])  # (d, 3, n)
        low, middle, high = (torch.from_numpy(told[:, i].T.copy()).to(x.dtype) for i in range(3))
        return Prediction(middle, (high - low).clamp_min(0) / _WIDTH)
