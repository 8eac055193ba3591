"""One job of one contender, in this process: fit, predict, save, each timed alike for all.

A contender's script hands over its methods and calls `main`. It is started as

    python -m benchmarks.peers.run_NAME POINTS.npz JOB.json PREDICTION.npz

and prints one line of JSON. Only numpy and the standard library are used here: nothing of wdrop, so that the
contenders' environments hold what they ask for and no more.
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_WARM_ROWS = 300
_PREDICT_SECONDS, _MOST_PREDICTIONS = 1.0, 30
_FEWEST_EPOCHS = 3  # a straight line through one epoch and these is what extrapolation stands on


@final
@dataclass(frozen=True, kw_only=True)
class Job:
    """What all contenders are asked for, beside the points."""

    method: str
    width: int
    depth: int = 2
    epochs: int = 150
    batch_size: int = 100
    dropout: float = 0.1
    learning_rate: float = 1e-3
    n_draws: int = 50
    n_members: int = 5
    seed: int = 0
    most_seconds: float = 60.0
    """A fit that would take longer is measured on fewer epochs and extrapolated."""


@final
@dataclass(frozen=True)
class Way:
    """How a contender does one method.

    fit      x (n, f), y (n,), job → a model
    predict  model, x → mean (n,), std (n,)
    save     model, folder: writes what a user would ship
    """

    fit: Callable[[Array, Array, Job], Any]
    predict: Callable[[Any, Array], tuple[Array, Array]]
    save: Callable[[Any, Path], None] | None = None


@final
@dataclass(frozen=True)
class Fitted:
    """A model, and how long all its epochs take."""

    model: Any
    seconds: float
    epochs_measured: int


def timed(action: Callable[[], Any]) -> tuple[Any, float]:
    """What the action gives, and its processor time: with one thread that is its duration on a machine left alone."""
    start = time.process_time()
    result = action()
    return result, time.process_time() - start


def fit(way: Way, x: Array, y: Array, job: Job) -> Fitted:
    """Fit with all epochs if one epoch says that there is time for them, else with as many as fit in."""

    def run(epochs: int) -> tuple[Any, float]:
        return timed(lambda: way.fit(x, y, replace(job, epochs=epochs)))

    _, first = run(1)
    if first * job.epochs <= job.most_seconds:
        model, seconds = run(job.epochs)
        return Fitted(model, seconds, job.epochs)
    epochs = min(job.epochs, max(_FEWEST_EPOCHS, int(job.most_seconds / first)))
    model, seconds = run(epochs)
    return Fitted(model, extrapolated(first, seconds, epochs, job.epochs), epochs)


def extrapolated(first: float, seconds: float, measured: int, epochs: int) -> float:
    """How long `epochs` take, from the seconds of one epoch and of `measured` epochs.

    What is paid once, such as building a trainer, is not multiplied: only the difference of the two runs is.
    """
    if measured >= epochs:
        return seconds
    each = max(seconds - first, 0.0) / (measured - 1)
    return seconds + each * (epochs - measured)


def prediction_seconds(way: Way, model: Any, x: Array) -> float:
    """Median over predictions of all rows, after one that warms up."""
    way.predict(model, x)
    seconds: list[float] = []
    while len(seconds) < _MOST_PREDICTIONS and (len(seconds) < 3 or sum(seconds) < _PREDICT_SECONDS):
        seconds.append(timed(lambda: way.predict(model, x))[1])
    return statistics.median(seconds)


def saved_bytes(way: Way, model: Any) -> int | None:
    if way.save is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        way.save(model, Path(folder))
        return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def peak_megabytes() -> float | None:
    """The most memory that this process has held, imports included; None where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def measured(way: Way, points: Mapping[str, Array], job: Job) -> tuple[dict[str, Any], tuple[Array, Array]]:
    """All numbers of one job, and mean and std at the test points."""
    x, y = points["train_x"], points["train_y"]

    def first_use() -> None:
        model = way.fit(x[:_WARM_ROWS], y[:_WARM_ROWS], replace(job, epochs=1))
        way.predict(model, points["test_x"][:_WARM_ROWS])

    _, first_use_seconds = timed(first_use)  # libraries load parts of themselves when first used
    fitted = fit(way, x, y, job)
    predict_seconds = prediction_seconds(way, fitted.model, points["test_x"])
    mean, std = way.predict(fitted.model, points["test_x"])
    numbers = {
        "first_use_seconds": first_use_seconds,
        "fit_seconds": fitted.seconds,
        "epochs_measured": fitted.epochs_measured,
        "predict_seconds": predict_seconds,
        "peak_megabytes": peak_megabytes(),
        "model_bytes": saved_bytes(way, fitted.model),
    }
    return numbers, (np.asarray(mean, np.float64).reshape(-1), np.asarray(std, np.float64).reshape(-1))


def not_fitted(x: Array, y: Array, job: Job) -> None:
    """Fit for those that only measure."""


def forecast(n: int) -> tuple[Array, Array, Array]:
    """A forecast that is right, for those that only measure: mean, std and what came, (n,) each."""
    stream = np.random.default_rng(n)
    mean, std = stream.standard_normal(n), 0.1 + stream.random(n)
    return mean, std, mean + std * stream.standard_normal(n)


def main(ways: Mapping[str, Way]) -> None:
    """Do the job that the command line names and print what was measured as one line of JSON."""
    points_path, job_path, prediction_path = sys.argv[1:]
    job = Job(**json.loads(Path(job_path).read_text()))
    if job.method not in ways:
        raise SystemExit(f"unknown method {job.method!r}; this contender has: {', '.join(ways)}")
    with np.load(points_path) as file:
        points = dict(file)
    numbers, (mean, std) = measured(ways[job.method], points, job)
    np.savez(prediction_path, mean=mean, std=std)
    print(json.dumps({**asdict(job), **numbers}))
