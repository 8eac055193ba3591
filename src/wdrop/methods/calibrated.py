"""Predictors that know how far off they were at points they had not seen."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import torch
from torch import Generator, Tensor

from wdrop._random import generator_for, seed_from
from wdrop.calibration import Calibration, CVPlus, Interval
from wdrop.prediction import Prediction, Predictor


class IntervalPredictor(Predictor):
    """A predictor with intervals of its own, other than those of N(mean, std²)."""

    @abstractmethod
    def interval(self, x: Tensor, level: float = 0.9, *, generator: Generator | None = None) -> Interval:
        """Where y is expected with probability `level`, at each row of x (n, f): two ends (n, d)."""


@final
@dataclass(frozen=True, eq=False)
class Unseen:
    """What was said, after calibration, of points that did not train the networks asked, and what was observed there.

    y, weight  (n, d)
    """

    prediction: Prediction
    y: Tensor
    weight: Tensor | None = None


@final
@dataclass(frozen=True, eq=False)
class CalibratedPredictor(IntervalPredictor):
    """A predictor whose every prediction goes through a calibration.

    `unseen` is what the calibration was fitted to, for those who want to judge by it; files do not keep it.
    """

    predictor: Predictor
    calibration: Calibration
    unseen: Unseen | None = field(default=None, repr=False, metadata={"saved": False})

    @classmethod
    def of(
        cls, predictor: Predictor, calibration: type[Calibration], told: Prediction, y: Tensor, weight: Tensor | None
    ) -> "CalibratedPredictor":
        """The predictor, calibrated by what was told of points that did not train those who told it."""
        fitted = calibration.of(told, y, weight)
        return cls(predictor, fitted, Unseen(fitted.apply(told), y, weight))

    @property
    def facts(self) -> Mapping[str, float]:
        return {**self.predictor.facts, **self.calibration.facts}

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return self.calibration.apply(self.predictor.predict(x, generator=generator, keep_samples=keep_samples))

    def interval(self, x: Tensor, level: float = 0.9, *, generator: Generator | None = None) -> Interval:
        return self.calibration.interval(self.predictor.predict(x, generator=generator), level)

    def quantiles(self, x: Tensor, levels: Sequence[float], *, generator: Generator | None = None) -> Tensor:
        """Where y stays below with these probabilities: (q, n, d)."""
        return self.calibration.quantiles(self.predictor.predict(x, generator=generator), levels)


@final
@dataclass(frozen=True, eq=False)
class CVPlusPredictor(IntervalPredictor):
    """The predictors of all folds, and what each had not seen."""

    members: Sequence[Predictor]
    cv_plus: CVPlus

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return self.cv_plus.apply(each_predicts(self.members, x, generator))

    def interval(self, x: Tensor, level: float = 0.9, *, generator: Generator | None = None) -> Interval:
        return self.cv_plus.interval(each_predicts(self.members, x, generator), level)


@final
@dataclass(frozen=True, eq=False)
class PooledPredictor(Predictor):
    """Predictors taken together: the mean of what they say; `disagreement` tells whether their spread enters std."""

    members: Sequence[Predictor]
    disagreement: bool = True

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return pooled(each_predicts(self.members, x, generator, keep_samples), disagreement=self.disagreement)


def each_predicts(
    members: Sequence[Predictor], x: Tensor, generator: Generator | None, keep_samples: bool = False
) -> list[Prediction]:
    """What each says, from a stream of its own: members that draw draw differently."""
    seed = seed_from(generator)
    streams = [generator_for(seed, "member", m) for m in range(len(members))]
    return [
        member.predict(x, generator=stream, keep_samples=keep_samples)
        for member, stream in zip(members, streams, strict=True)
    ]


def pooled(predictions: Sequence[Prediction], *, disagreement: bool) -> Prediction:
    """One prediction out of several: their mean, and the root mean square of their std. Samples are those of all.

    With `disagreement`, the variance of their means is added as doubt: without bias (ddof 1), so that a few of them
    and many of them have the same scale.
    """
    means = torch.stack([p.mean for p in predictions])
    stds = torch.stack([p.std for p in predictions])
    doubt = means.std(0) if disagreement else torch.zeros_like(means[0])
    std = torch.hypot(stds.square().mean(0).sqrt(), doubt)
    epistemic = _root_mean_square([p.epistemic for p in predictions])
    return Prediction(
        means.mean(0),
        std,
        _joined([p.samples for p in predictions]),
        _root_mean_square([p.aleatoric for p in predictions]),
        None if epistemic is None else torch.hypot(epistemic, doubt),
    )


def _joined(parts: Sequence[Tensor | None]) -> Tensor | None:
    told = [part for part in parts if part is not None]
    return torch.cat(told) if told else None


def _root_mean_square(parts: Sequence[Tensor | None]) -> Tensor | None:
    told = [part for part in parts if part is not None]
    return torch.stack(told).square().mean(0).sqrt() if told else None
