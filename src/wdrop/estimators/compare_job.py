"""One method on one split: all folds, raw and calibrated, out of one stack."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray

from wdrop._files import written_whole
from wdrop._random import generator_for
from wdrop.data.splits import Split, split_points
from wdrop.estimators.distinct import distinct_points
from wdrop.estimators.gradient_boosting import GradientBoosting
from wdrop.estimators.recipe import base_method, calibrated, in_units_of_y, with_training
from wdrop.methods import Method
from wdrop.methods.calibrated import CalibratedPredictor
from wdrop.methods.cross_fitted import CrossFitted
from wdrop.nets.training import Progress
from wdrop.prediction import Points, Prediction, Predictor
from wdrop.report.comparison.contestant import BASELINE, VARIANTS, Contestant, Variant

_LEAST_STD = 1e-5  # of the std of the target; measures refuse a std of 0, which a network with dead units can say
_CALIBRATE = "cross"
Array = NDArray[Any]


@final
@dataclass(frozen=True, eq=False)
class CompareJob:
    """A method, a split of the rows, and how long to train.

    x, y   (n, f) and (n, d), finite
    folds  out of 0 to 9
    place  the file that takes what comes of it
    """

    method: str
    split: str
    x: Array
    y: Array
    folds: tuple[int, ...]
    seed: int
    place: Path
    epochs: int | None = None
    n_steps: int | None = None

    @property
    def title(self) -> str:
        return f"{self.method}, {self.split}"

    def splits(self) -> list[Split]:
        """The rows that train and that test; the same for all methods."""
        points = Points(torch.from_numpy(self.x), torch.from_numpy(self.y))
        return split_points(
            self.split, points, folds=self.folds, generator=generator_for("split", self.split, self.seed)
        )


def run_job(job: CompareJob, progress: Progress) -> None:
    """Fit all folds as one stack and write what is said of the rows that did not train, whole or not at all."""
    start = time.process_time()
    splits = job.splits()
    raw, calibrated = _fitted(job, [distinct_points(job.x[s.train], job.y[s.train], None) for s in splits], progress)
    told: dict[str, list[Prediction]] = {name: [] for name in VARIANTS}
    for split, *pair in zip(splits, raw, calibrated, strict=True):
        x = torch.from_numpy(job.x[split.test])
        for name, predictor in zip(VARIANTS, pair, strict=True):
            told[name].append(predictor.predict(x, generator=_stream("predict", job, split.fold)))
    arrays: dict[str, Any] = {
        f"{name}/{part}": torch.cat([getattr(prediction, part) for prediction in told[name]]).double().numpy()
        for name in VARIANTS
        for part in ("mean", "std")
    }
    arrays["fold"] = np.concatenate([np.full(len(split.test), split.fold) for split in splits])
    arrays["test"] = np.concatenate([split.test.numpy() for split in splits])
    arrays["seconds"] = np.array(time.process_time() - start)
    arrays["ratio"] = np.array(np.mean([len(split.test) / len(split.train) for split in splits]))
    with written_whole(job.place) as beside, beside.open("wb") as file:
        np.savez(file, **arrays)


def contestants_of(job: CompareJob) -> list[Contestant]:
    """What the job left, raw and calibrated; nothing if it is not done."""
    if not job.place.exists():
        return []
    with np.load(job.place) as file:
        arrays = dict(file)
    return [_contestant(job, variant, arrays) for variant in VARIANTS]


def _contestant(job: CompareJob, variant: Variant, arrays: Mapping[str, Array]) -> Contestant:
    test, std, least = arrays["test"], arrays[f"{variant}/std"], _LEAST_STD * job.y.std(0)
    return Contestant(
        job.method, variant, job.split, arrays["fold"], arrays[f"{variant}/mean"],
        np.maximum(std, least), job.y[test], float(arrays["seconds"]), float(arrays["ratio"]),
        n_floored=int((std < least).sum()),
    )  # fmt: skip


def _fitted(
    job: CompareJob, trains: list[Points], progress: Progress
) -> tuple[Sequence[Predictor], Sequence[Predictor]]:
    """Predictors of all folds, raw and calibrated; if the network on all rows is in both, it is trained once."""
    calibrated_method = _method(job, len(trains[0]), _CALIBRATE)
    shared = isinstance(calibrated_method, CrossFitted) and calibrated_method.mean == "refit"
    calibrated = calibrated_method.fit_many(trains, generators=_streams(job), progress=progress)
    parts = [one.predictor for one in calibrated if isinstance(one, CalibratedPredictor)]
    if shared and len(parts) == len(calibrated):
        return parts, calibrated
    return _method(job, len(trains[0]), None).fit_many(trains, generators=_streams(job)), calibrated


def _method(job: CompareJob, n_rows: int, calibrate: str | None) -> Method:
    """As `Regressor` would fit it: the same budget, scales and calibration."""
    if job.method == BASELINE:
        return GradientBoosting() if calibrate is None else calibrated(GradientBoosting(), calibrate, n_rows)
    method = with_training(
        base_method(job.method), n_rows, is_named=True, epochs=job.epochs, batch_size=None, n_steps=job.n_steps,
        learning_rate=None, device="auto", guide={},
    )  # fmt: skip
    return in_units_of_y(method, calibrate, n_rows)


def _streams(job: CompareJob) -> list[torch.Generator]:
    return [_stream("fit", job, fold) for fold in (split.fold for split in job.splits())]


def _stream(purpose: str, job: CompareJob, fold: int) -> torch.Generator:
    return generator_for(purpose, job.seed, job.split, job.method, fold)
