"""Time and memory of one fit and one prediction; a process of its own, so that no earlier one counts.

python -m benchmarks._growth_point '{"width": 200}'   prints the costs as JSON
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import ceil
from typing import TypeVar

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

import torch
from benchmarks._memory import with_peak

from wdrop._random import generator_for
from wdrop.methods import MCDropout, Method, WDropout, WDropoutClosed, WDropoutLastLayer
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points, Prediction, Predictor

T = TypeVar("T")

N_FEATURES, BATCH, N_SAMPLES = 8, 100, 20
AT_LEAST_STEPS = 50
REPEATS, ENOUGH_SECONDS = 3, 3.0  # the median of so many, fewer where that takes longer


@dataclass(frozen=True)
class Setting:
    """What is fitted; each axis of growth moves one of these."""

    method: str = "w_dropout"
    points: int = 1000
    width: int = 100
    networks: int = 1
    draws: int = 5
    targets: int = 1
    rows: int = 10_000  # to predict

    @property
    def epochs(self) -> int:
        return ceil(AT_LEAST_STEPS / self.steps_per_epoch)

    @property
    def steps_per_epoch(self) -> int:
        return max(1, self.points // BATCH)


@dataclass(frozen=True)
class Costs:
    """Seconds of processor time, and MiB on top of what the process held before."""

    step: float
    epoch: float
    fit_mib: float
    predict: float
    predict_mib: float


def method_of(setting: Setting) -> Method:
    """The method with the network and the training that the setting asks for."""
    net, training = MLP(width=setting.width), Training(epochs=setting.epochs, batch_size=BATCH, device="cpu")
    if setting.method == "w_dropout" and setting.draws == 1:
        return MCDropout(net=net, training=training, n_samples=N_SAMPLES)  # one draw has no spread to train
    if setting.method == "w_dropout":
        return WDropout(net=net, training=training, n_draws=setting.draws, n_samples=N_SAMPLES)
    if setting.method == "w_dropout_closed":
        return WDropoutClosed(net=net, training=training)
    assert setting.method == "w_dropout_last_layer"
    return WDropoutLastLayer(net=replace(net, depth=3, last_layer_only=True), training=training)


def costs_of(setting: Setting) -> Costs:
    """What a fit and a prediction cost."""
    torch.set_num_threads(1)
    x = torch.randn(setting.rows, N_FEATURES, generator=generator_for("growth", "rows"))
    small = replace(setting, points=BATCH, width=10, networks=1, targets=1)
    ask(prepared(small)()[0], x[:10])  # what is loaded at first use is nobody's cost
    predictors, fit_seconds, fit_mib = repeated(prepared(setting))
    _, predict_seconds, predict_mib = repeated(lambda: ask(predictors[0], x))
    epoch = fit_seconds / setting.epochs
    return Costs(epoch / setting.steps_per_epoch, epoch, fit_mib, predict_seconds, predict_mib)


def prepared(setting: Setting) -> Callable[[], list[Predictor]]:
    """A fit whose data are there."""
    generator = generator_for("growth", "points")
    x, y = (torch.randn(setting.points, n, generator=generator) for n in (N_FEATURES, setting.targets))
    trains, method = [Points(x, y)] * setting.networks, method_of(setting)
    return lambda: method.fit_many(trains, generators=[generator_for("fit", k) for k in range(setting.networks)])


def ask(predictor: Predictor, x: torch.Tensor) -> Prediction:
    return predictor.predict(x, generator=generator_for("growth", "draws"))


def repeated(run: Callable[[], T]) -> tuple[T, float, float]:
    """What a call gives, its median seconds, and the peak of its first time in MiB."""
    seconds: list[float] = []
    peaks: list[float] = []
    while len(seconds) < REPEATS and sum(seconds) < ENOUGH_SECONDS:
        start = time.process_time()
        result, peak = with_peak(run)
        seconds.append(time.process_time() - start)
        peaks.append(peak)
    return result, statistics.median(seconds), peaks[0]


if __name__ == "__main__":
    print(json.dumps(asdict(costs_of(Setting(**json.loads(sys.argv[1]))))))
