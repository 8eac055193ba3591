"""One run: config → record and predictions."""

import platform
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from wdrop._random import generator_for
from wdrop._version import __version__
from wdrop.data import datasets
from wdrop.data.scaling import Scaler
from wdrop.data.splits import Split, split_points
from wdrop.measures import ece, evaluate
from wdrop.measures.tails import tail_errors
from wdrop.methods import Method
from wdrop.methods.sampled import SampledPredictor
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Prediction, Predictor
from wdrop.study.plan import Run
from wdrop.study.ways import TRUTH, fit_ways

N_GRID, N_LINES = 600, 500
STD_FLOOR = 1e-5
"""A std below this, in standardised units, counts as this: the paper adds 1e-10 to variances. Measures refuse a std of
zero, which a network can have where all its units are dead; records say how many points had it."""
Arrays = dict[str, NDArray[Any]]


@final
@dataclass(frozen=True)
class Outcome:
    """What a run leaves: rows for the table of records, one per fold and part, and arrays."""

    rows: Sequence[dict[str, Any]]
    arrays: Arrays


def execute(run: Run, progress: Progress = silent) -> Outcome:
    """Fit all folds of the run as one stack and judge each; an error becomes a row that tells it."""
    return execute_together([run], progress)[0]


def execute_together(runs: Sequence[Run], progress: Progress = silent) -> list[Outcome]:
    """Runs of one method in one stack, which is much cheaper than one by one and changes results by rounding only.

    If anything goes wrong, each is tried by itself, so that a run's error is its own.
    """
    try:
        return _execute_together(runs, progress)
    except Exception as error:
        if len(runs) > 1:
            return [execute(run, progress) for run in runs]
        told = f"{type(error).__name__}: {error}"
        return [Outcome([{"status": "failed", "error": told, "traceback": traceback.format_exc()}], {})]


def _execute_together(runs: Sequence[Run], progress: Progress) -> list[Outcome]:
    [method] = {run.method for run in runs}
    assert isinstance(method, Method)  # see kinds.py
    prepared = [_Prepared.of(run) for run in runs]
    start = time.thread_time()  # of this thread, which does all the work, backward too: core-seconds
    [ways] = {tuple(run.ways) for run in runs}
    predictors = iter(
        fit_ways(
            method,
            ways,
            [train for one in prepared for train in one.trains],
            [generator for one in prepared for generator in one.generators],
            progress,
        )
    )
    fit_seconds = (time.thread_time() - start) / sum(len(one.trains) for one in prepared)
    outcomes = []
    for one in prepared:
        start = time.thread_time()
        rows, arrays = one.judge([next(predictors) for _ in one.trains])
        seconds = time.thread_time() - start + fit_seconds * len(one.trains)
        facts = {"status": "done", "error": "", "seconds": round(seconds, 3), "peak_mib": peak_memory(), **versions()}
        outcomes.append(Outcome([{**facts, **row} for row in rows], arrays))
    return outcomes


def load_points(run: Run) -> Points:
    """The data of the run; they depend on data set and seed alone, so all methods see the same."""
    options = [f"{name}={value}" for name, value in sorted(run.dataset_options.items())]
    generator = generator_for("data", run.dataset, *options, run.seed)
    return datasets.load_points(run.dataset, run.dataset_options, generator=generator)


def split_stream(run: Run) -> Generator:
    """The stream of the run's split: the same for all methods."""
    return generator_for("split", run.dataset, run.split, run.seed)


@final
@dataclass(frozen=True)
class _Prepared:
    """A run's data, cut into splits and scaled by the training rows of each."""

    run: Run
    points: Points
    splits: Sequence[Split]
    scalers: Sequence[Scaler]

    @classmethod
    def of(cls, run: Run) -> "_Prepared":
        points = load_points(run)
        splits = split_points(run.split, points, folds=run.folds, generator=split_stream(run))
        return cls(run, points, splits, [_scaler(run, points[split.train]) for split in splits])

    @property
    def trains(self) -> list[Points]:
        both = zip(self.scalers, self.splits, strict=True)
        return [scaler.points(self.points[split.train]) for scaler, split in both]

    @property
    def generators(self) -> list[Generator]:
        return [_stream("fit", self.run, split.fold) for split in self.splits]

    def judge(self, predictors: Sequence[Mapping[str, Predictor]]) -> tuple[list[dict[str, Any]], Arrays]:
        """Rows and arrays of every fold, for its training and its test rows, by way."""
        rows: list[dict[str, Any]] = []
        arrays: Arrays = {}
        for split, scaler, by_way in zip(self.splits, self.scalers, predictors, strict=True):
            for part, wanted in (("train", split.train), ("test", split.test)):
                if part == "train" and self.run.ways:
                    continue  # ten thousand draws take their time, and nobody asks
                judged = scaler.points(self.points[wanted])
                told = {way: self._told(predictor, judged.x, split.fold) for way, predictor in by_way.items()}
                for way, prediction in told.items():
                    row = _row(split, part, judged, prediction, by_way[way])
                    rows.append({**row, **({"way": way} if way else {}), **_gap(prediction, told.get(TRUTH))})
                    arrays |= _arrays(array_name(split.fold, part, way), judged, prediction)
            if self.run.curve:
                stream = _stream("curve", self.run, split.fold)
                [predictor] = by_way.values()
                arrays |= _curve(f"{split.fold}/curve", self.points, scaler, predictor, stream)
        return rows, arrays

    def _told(self, predictor: Predictor, x: Tensor, fold: int) -> Prediction:
        return predictor.predict(x, generator=_stream("predict", self.run, fold))


def array_name(fold: int, part: str, way: str = "") -> str:
    """Under which the predictions of a row are kept, before "/mean", "/std" and "/y"."""
    return f"{fold}/{part}/{way}" if way else f"{fold}/{part}"


def _gap(prediction: Prediction, truth: Prediction | None) -> dict[str, float]:
    """How far std is from that of very many draws, relative to it: median and 95 %."""
    if truth is None or truth is prediction:
        return {}
    gap = (prediction.std - truth.std).abs() / truth.std.clamp_min(STD_FLOOR)
    median, high = torch.quantile(gap.double(), torch.tensor([0.5, 0.95]).double())
    return {"gap_median": float(median), "gap_q95": float(high)}


def _scaler(run: Run, train: Points) -> Scaler:
    scaler = Scaler.of(train)
    if run.scale_y:
        return scaler
    return replace(scaler, y_mean=torch.zeros_like(scaler.y_mean), y_std=torch.ones_like(scaler.y_std))


def _stream(purpose: str, run: Run, fold: int) -> Generator:
    return generator_for(purpose, run.dataset, run.split, fold, run.method_name, run.seed)


def _row(split: Split, part: str, judged: Points, prediction: Prediction, predictor: Predictor) -> dict[str, Any]:
    """The record of one fold: measures in standardised units, as the paper has them."""
    floored = prediction.std.clamp_min(STD_FLOOR)
    std = prediction.std.double().flatten()
    low, median, high = torch.quantile(std[:: max(1, len(std) // 100_000)], torch.tensor([0.1, 0.5, 0.9]).double())
    return {
        "fold": split.fold,
        "split_kind": split.kind,
        "part": part,
        "n_train": len(split.train),
        "n_judged": len(judged),
        "n_floored": int((prediction.std < STD_FLOOR).sum()),
        **measured(prediction.mean, floored, judged.y),
        "std_mean": float(std.mean()),
        "std_q10": float(low),
        "std_q50": float(median),
        "std_q90": float(high),
        **predictor.facts,
    }


def measured(mean: Any, std: Any, y: Any) -> dict[str, float]:
    """All measures, ECE as the paper's code rounds it too, and the errors in the tail."""
    tail = tail_errors(mean, std, y)
    return {
        **evaluate(mean, std, y),
        "ece_rounded": ece(mean, std, y, rounded=True),
        "tail_error_worst": tail.worst,
        "tail_error_rest": tail.rest,
    }


def _arrays(name: str, judged: Points, prediction: Prediction) -> Arrays:
    """Predictions as they are kept: a new measure needs no new training."""
    return {
        f"{name}/y": _single(judged.y),
        f"{name}/mean": _single(prediction.mean),
        f"{name}/std": _single(prediction.std),
    }


def _curve(name: str, points: Points, scaler: Scaler, predictor: Predictor, generator: Generator) -> Arrays:
    """Mean, std and sub-networks along a grid, in the units of the data."""
    grid = torch.linspace(float(points.x.min()), float(points.x.max()), N_GRID).unsqueeze(1)
    inputs = scaler.inputs(grid)
    if isinstance(predictor, SampledPredictor):
        predictor = replace(predictor, n_samples=N_LINES)
    prediction = scaler.in_units_of_y(predictor.predict(inputs, generator=generator, keep_samples=True))
    arrays = {
        f"{name}/x": _single(grid),
        f"{name}/mean": _single(prediction.mean),
        f"{name}/std": _single(prediction.std),
    }
    if prediction.samples is not None:
        arrays[f"{name}/samples"] = _single(prediction.samples).astype(np.float16)  # for lines in a figure
    return arrays


def _single(values: Tensor) -> NDArray[np.float32]:
    return values.squeeze(-1).float().numpy()


def peak_memory() -> float:
    """The most memory this process has held so far, in MiB; NaN where the system does not tell."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return float("nan")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


def versions() -> dict[str, str]:
    """Of what a result may depend on."""
    return {"wdrop": __version__, "torch": torch.__version__, "python": platform.python_version()}
