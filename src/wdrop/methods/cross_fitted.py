from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, final

import torch
from torch import Generator, Tensor

from wdrop._checks import at_least, known
from wdrop._random import generator_for, seed_from
from wdrop.calibration import CALIBRATIONS, CVPlus
from wdrop.data.scaling import Scaler
from wdrop.methods.calibrated import CalibratedPredictor, CVPlusPredictor, PooledPredictor, pooled
from wdrop.methods.inner_folds import CUTS, Fold, cut_rows
from wdrop.methods.method import Method
from wdrop.methods.scaled import ScaledPredictor
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Prediction, Predictor

CV_PLUS = "cv_plus"


@final
@dataclass(frozen=True, kw_only=True)
class CrossFitted(Method):
    """Any method, its std calibrated by residuals at points that networks had not seen; none is lost for training.

    The training rows are cut into `n_folds`; for each fold a further network trains on the others, in the same stack
    as the networks that predict, and is asked for the rows it had not seen. Each inner set is brought to the mean and
    std of the whole, so what is standardised stays standardised and no held-out row has a say in it.

    calibration  a name out of CALIBRATIONS, or "cv_plus", which keeps the inner networks for its intervals
    mean         "refit": one network trained on all rows predicts, the same as without calibration
                 "ensemble": the inner networks predict together
    n_repeats    cuts; each row is then judged by as many networks together, which an ensemble of them deserves
    cut          "random" rows, or "pca" or "label" blocks: further from the training rows, hence more careful
    """

    method: Method
    calibration: str = "scale"
    n_folds: int = 5
    n_repeats: int = 1
    mean: Literal["refit", "ensemble"] = "refit"
    cut: Literal["random", "pca", "label"] = "random"

    def __post_init__(self) -> None:
        known("calibration", self.calibration, (*CALIBRATIONS, CV_PLUS))
        known("mean", self.mean, ("refit", "ensemble"))
        known("cut", self.cut, CUTS)
        at_least(2, n_folds=self.n_folds)
        at_least(1, n_repeats=self.n_repeats)
        if self.n_repeats > 1 and (self.mean == "refit" or self.calibration == CV_PLUS or self.cut != "random"):
            raise ValueError(
                f'expected n_repeats of 1 but for mean="ensemble" and cut="random", got {self.n_repeats}; '
                "only there do more cuts tell more"
            )

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        return [
            self._calibrated(plan, fitted, plan.out_of_fold(fitted))
            for plan, fitted in self._fitted(trains, generators, progress)
        ]

    def fit_alternatives(
        self,
        trains: Sequence[Points],
        ways: Sequence[str],
        *,
        generators: Sequence[Generator],
        progress: Progress = silent,
    ) -> list[dict[str, Predictor]]:
        """Predictors by the name of their calibration, out of the same networks, to compare calibrations.

        A way is "raw" or a name out of CALIBRATIONS; "ensemble " before it lets the inner networks predict.
        """
        plain = replace(self, mean="refit", n_repeats=1)
        found = []
        for plan, fitted in plain._fitted(trains, generators, progress):
            unseen = plan.out_of_fold(fitted)
            found.append({way: plain._alternative(way, plan, fitted, unseen) for way in ways})
        return found

    def _alternative(self, way: str, plan: "_Plan", fitted: Sequence[Predictor], unseen: Prediction) -> Predictor:
        mean, _, name = way.rpartition(" ")
        asked = replace(self, mean="ensemble" if mean else "refit", calibration="scale" if name == "raw" else name)
        predictor = asked._calibrated(plan, fitted, unseen)
        if name != "raw":
            return predictor
        assert isinstance(predictor, CalibratedPredictor)
        return predictor.predictor

    def _fitted(
        self, trains: Sequence[Points], generators: Sequence[Generator], progress: Progress
    ) -> "list[tuple[_Plan, list[Predictor]]]":
        """What is trained for each set, and what came of it; all of it as one stack."""
        plans = [self._plan(train, stream) for train, stream in zip(trains, generators, strict=True)]
        fitted = iter(
            self.method.fit_many(
                [points for plan in plans for points in plan.sets],
                generators=[stream for plan in plans for stream in plan.generators],
                progress=progress,
            )
        )
        return [(plan, [next(fitted) for _ in plan.sets]) for plan in plans]

    def _plan(self, train: Points, generator: Generator) -> "_Plan":
        refit = [_copy(generator)] if self.mean == "refit" and self.calibration != CV_PLUS else []
        seed = seed_from(generator)
        cuts = [
            cut_rows(self.cut, train, self.n_folds, generator=generator_for(seed, "folds", repeat))
            for repeat in range(self.n_repeats)
        ]
        return _Plan(train, cuts, seed, refit)

    def _calibrated(self, plan: "_Plan", fitted: Sequence[Predictor], unseen: Prediction) -> Predictor:
        members = plan.members(fitted)
        train = plan.train
        if self.calibration == CV_PLUS:
            owners = torch.empty(len(train), dtype=torch.int64)
            for k, fold in enumerate(plan.folds):
                owners[fold.held_out] = k
            return CVPlusPredictor(members, CVPlus.of(unseen, train.y, owners, train.weight))
        predictor = fitted[0] if self.mean == "refit" else PooledPredictor(members, plan.n_repeats > 1)
        return CalibratedPredictor.of(predictor, CALIBRATIONS[self.calibration], unseen, train.y, train.weight)


@final
class _Plan:
    """What is trained for one set of points: perhaps a network on all of it, then one for each fold."""

    def __init__(self, train: Points, cuts: Sequence[Sequence[Fold]], seed: int, refit: Sequence[Generator]) -> None:
        self.train = train
        self.n_repeats = len(cuts)
        self.folds = folds = [fold for cut in cuts for fold in cut]
        self.seed = seed
        self.scalers = [_brought_to(Scaler.of(train), Scaler.of(train[fold.kept])) for fold in folds]
        inner = [scaler.points(train[fold.kept]) for scaler, fold in zip(self.scalers, folds, strict=True)]
        self.sets = [train, *inner] if refit else inner
        self.generators = [*refit, *(generator_for(seed, "inner", k) for k in range(len(folds)))]

    def members(self, fitted: Sequence[Predictor]) -> list[Predictor]:
        """The inner networks, in the units of the whole set."""
        inner = fitted[len(fitted) - len(self.folds) :]
        return [ScaledPredictor(*pair) for pair in zip(self.scalers, inner, strict=True)]

    def out_of_fold(self, fitted: Sequence[Predictor]) -> Prediction:
        """What is said of each row by those that had not seen it, pooled over repeats."""
        members = self.members(fitted)
        streams = [generator_for(self.seed, "out of fold", k) for k in range(len(members))]
        parts = [
            (fold.held_out, member.predict(self.train.x[fold.held_out], generator=stream))
            for fold, member, stream in zip(self.folds, members, streams, strict=True)
        ]
        n_folds = len(parts) // self.n_repeats
        rounds = [_in_order(parts[k : k + n_folds]) for k in range(0, len(parts), n_folds)]
        # A single judge disagrees with nobody, and the ensemble's std is then made without disagreement as well.
        return pooled(rounds, disagreement=self.n_repeats > 1)


def _in_order(parts: Sequence[tuple[Tensor, Prediction]]) -> Prediction:
    """Predictions of some rows each, put together in the order of the rows."""
    order = torch.cat([rows for rows, _ in parts]).argsort()
    mean, std = (torch.cat([getattr(p, name) for _, p in parts])[order] for name in ("mean", "std"))
    return Prediction(mean, std)


def _brought_to(whole: Scaler, part: Scaler) -> Scaler:
    """The scaler that gives the columns of a part the mean and std that those of the whole have."""
    x_ratio, y_ratio = part.x_std / whole.x_std, part.y_std / whole.y_std
    return Scaler(part.x_mean - whole.x_mean * x_ratio, x_ratio, part.y_mean - whole.y_mean * y_ratio, y_ratio)


def _copy(generator: Generator) -> Generator:
    """A generator that goes on as this one would: the network on all rows is then the method's own."""
    copy = Generator(generator.device)
    copy.set_state(generator.get_state())
    return copy
