"""One detection run: train, judge on every set, give record and matched boxes.

Training goes on from its checkpoint after a kill, and judging from the sets that were judged whole.
"""

import os
import shutil
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from wdrop.detect.data.named import open_set
from wdrop.detect.data.source import Samples, SplitName
from wdrop.detect.data.thinned import Thinned
from wdrop.detect.files.detector_file import save_detector
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.pretrained import weights_file
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.corruptions import CLEAN, Corrupted
from wdrop.detect.scores.evaluated import evaluated
from wdrop.detect.scores.evaluation import ALL, COORDINATES
from wdrop.detect.training.facts import detector_facts
from wdrop.detect.training.train import CHECKPOINT_FILE, Trained, train_detector
from wdrop.detect.training.trajectory import Trajectory
from wdrop.nets.training import Progress
from wdrop.study.detection.examples import SHOWN, examples
from wdrop.study.detection.records import Arrays, Judgement, arrays_of, matches_from, rows_of
from wdrop.study.detection.task import PARTS, DetectorTask
from wdrop.study.plan import Run
from wdrop.study.run import Outcome, peak_memory, versions

DETECTOR_FILE = "detector.safetensors"


def execute_detector(run: Run, progress: Progress, folder: Path | None = None) -> Outcome:
    """Train and judge; an error becomes a row that tells it. What must outlive a kill goes to the run's `folder`."""
    try:
        return _execute(run, progress, folder)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        return Outcome([{"status": "failed", "error": told, "traceback": traceback.format_exc()}], {})


def _execute(run: Run, progress: Progress, folder: Path | None) -> Outcome:
    task = cast(DetectorTask, run.method)
    sets = _Sets(run, task)
    total = task.training.n_steps + sum(len(sets.samples(one)) for one in judgements(run))
    trained, trajectory = _trained(run, task, sets, folder, lambda done: progress(done, total))
    net = trained.net
    rows = [_look_row(run, task, step, scores) for step, scores in sorted(trajectory.steps.items())]
    arrays, seconds, done = _examples(net, task, sets), trajectory.seconds, task.training.n_steps
    for one in judgements(run):
        found, spent = _judged(net, one, sets, task, folder, partial(_tell, progress, done, total))
        done += len(sets.samples(one))
        arrays, seconds = arrays | found, seconds + spent
        rows += rows_of(one, matches_from(one, found), n_repeats=task.n_repeats)
    facts = {"status": "done", "error": "", "seconds": round(seconds, 3), "peak_mib": peak_memory(), **versions()}
    facts |= {"backbone": trained.backbone or "random", "n_train": len(sets.own("train"))}
    return Outcome([{**facts, "step": task.training.n_steps, **row} for row in rows], arrays)


def _tell(progress: Progress, before: int, total: int, n_pictures: int) -> None:
    progress(before + n_pictures, total)


def judgements(run: Run) -> Iterator[Judgement]:
    """On which pictures it is judged by which protocol.

    Test pictures come first, by every protocol; then corrupted ones, further sets, and those of training.
    """
    task = cast(DetectorTask, run.method)
    for protocol in PROTOCOLS:
        yield Judgement(run.dataset, "test", CLEAN, protocol)
    usual = [name for name in PROTOCOLS if name != "samples-hdbscan"]  # which is slow, and seldom asked for
    for protocol in usual:
        for corruption in task.corruptions:
            yield Judgement(run.dataset, "test", f"{corruption} 1", protocol)
        for name in task.domains:
            if name != run.dataset:
                yield Judgement(name, "test", CLEAN, protocol)
        yield Judgement(run.dataset, "train", CLEAN, protocol)


PLACE = ("part", "tested_on", "corruption", "protocol", "coordinate", "step")
"""The columns that tell the rows of a detection run apart."""


def places(run: Run) -> list[tuple[Any, ...]]:
    """What these columns are in every row that the run leaves."""
    training = cast(DetectorTask, run.method).training
    looks = sorted({*range(training.checkpoint_every, training.n_steps, training.checkpoint_every), training.n_steps})
    along = [("along", run.dataset, CLEAN, "samples-kmeans", ALL, step) for step in looks]
    judged = [
        (one.part, one.tested_on, one.corruption, one.protocol, coordinate, training.n_steps)
        for one in judgements(run)
        for coordinate in (ALL, *COORDINATES)
    ]
    return along + judged


class _Sets:
    """The pictures of a run."""

    def __init__(self, run: Run, task: DetectorTask) -> None:
        self.run, self.task = run, task
        size = Size(task.width, task.height)
        self._own = {split: _load(run.dataset, split, run.dataset_options, size) for split in ("train", "test")}
        self._others = {name: _load(name, "test", {}, size) for name in task.domains if name != run.dataset}

    def own(self, split: str) -> Samples:
        return self._own[split]

    def samples(self, one: Judgement) -> Samples:
        samples = self._own[one.part] if one.tested_on == self.run.dataset else self._others[one.tested_on]
        if self.task.n_judged:
            samples = Thinned(samples, self.task.n_judged)
        return samples if one.corruption == CLEAN else Corrupted(samples, one.corruption.removesuffix(" 1"))


PROTOCOLS: Mapping[str, Mapping[str, str]] = {
    "samples-kmeans": {"how": "samples", "clustering": "kmeans"},
    "closed_form": {"how": "closed_form"},
    "samples-hdbscan": {"how": "samples", "clustering": "hdbscan"},
}


def _load(name: str, split: str, options: Mapping[str, Any], size: Size) -> Samples:
    found = open_set(PARTS.get(name, name), cast(SplitName, split), input_size=size, **options)
    if found.name != name:
        raise ValueError(f"expected the data set {name}, got {found.name} in its place; a part is not the whole")
    return found


def _trained(
    run: Run, task: DetectorTask, sets: _Sets, folder: Path | None, progress: Callable[[int], None]
) -> tuple[Trained, Trajectory]:
    looked = Thinned(sets.own("test"), task.n_looked)
    trajectory = Trajectory(looked, task.judging(**PROTOCOLS["samples-kmeans"]), folder, seed=run.seed)
    trained = train_detector(
        sets.own("train"),
        task.architecture(sets.own("train").class_names),
        task.training,
        folder=folder,
        weights=_weights(task),
        progress=lambda done, total, losses: progress(done),
        look=trajectory,
    )
    if folder is not None:
        facts = {**detector_facts(sets.own("train"), task.training), "run": run.config()}
        save_detector(trained.net, folder / DETECTOR_FILE, facts)
    return trained, trajectory


def _weights(task: DetectorTask) -> Path | None:
    if task.backbone == "any":
        return None
    found = weights_file()
    path = None if found is None else found.with_name(task.backbone)
    if path is None or not path.is_file():
        raise FileNotFoundError(f"no backbone {task.backbone}: expected it in $WDROP_DATA/weights")
    return path


def _judged(
    net: SqueezeDet,
    one: Judgement,
    sets: _Sets,
    task: DetectorTask,
    folder: Path | None,
    progress: Callable[[int], None],
) -> tuple[Arrays, float]:
    """The matched boxes of one judgement and the seconds it took, from the run's folder if it was done before."""
    path = None if folder is None else folder / "judged" / f"{one.name.replace('/', '--').replace(' ', '-')}.npz"
    if path is not None and path.exists():
        with np.load(path) as file:
            arrays = dict(file)
        return arrays, float(arrays.pop("seconds"))
    start = time.process_time()
    inference = task.judging(**PROTOCOLS[one.protocol])
    matches = evaluated(
        net, sets.samples(one), inference, seed=sets.run.seed, progress=lambda done, total: progress(done)
    )
    arrays, seconds = arrays_of(one, matches), time.process_time() - start
    if path is not None:
        _write(path, {**arrays, "seconds": np.array(seconds)})
    return arrays, seconds


def _write(path: Path, arrays: Arrays) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.stem}.{os.getpid()}.npz")
    np.savez_compressed(beside, **arrays)  # type: ignore[arg-type]
    beside.replace(path)


def _look_row(run: Run, task: DetectorTask, step: int, scores: Mapping[str, float]) -> dict[str, Any]:
    whole = {name: value for name, value in scores.items() if not name.endswith(("_x", "_y", "_w", "_h"))}
    own = {"fold": 0, "part": "along", "tested_on": run.dataset, "corruption": CLEAN, "coordinate": ALL}
    return {**own, "protocol": "samples-kmeans", "step": step, **whole}


def _examples(net: SqueezeDet, task: DetectorTask, sets: _Sets) -> Arrays:
    """Nothing where the licence of the detector's own data set forbids it."""
    if sets.run.dataset not in SHOWN:
        return {}
    ways = {protocol: task.judging(**PROTOCOLS[protocol]) for protocol in ("samples-kmeans", "closed_form")}
    return examples(net, sets.own("test"), ways, seed=sets.run.seed)


def forget(folder: Path) -> None:
    """Remove checkpoint and single judgements of a run that is stored; the detector stays."""
    shutil.rmtree(folder / "judged", ignore_errors=True)
    (folder / CHECKPOINT_FILE).unlink(missing_ok=True)
