"""A training whose result is a file: with its checkpoints beside it, and what is worth knowing inside."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wdrop._outputs import check_file, check_folder
from wdrop.detect.data.source import Samples
from wdrop.detect.files.detector_file import save_detector
from wdrop.detect.finding.inference import Inference
from wdrop.detect.network.squeezedet import Architecture
from wdrop.detect.training.facts import detector_facts
from wdrop.detect.training.train import CHECKPOINT_FILE, DetectorTraining, Progress, Trained, train_detector
from wdrop.detect.training.trajectory import Trajectory


def training_folder(path: Path) -> Path:
    """Where checkpoints and scores along the training of this detector lie: beside it, under its name."""
    return path.with_name(f"{path.name}.training")


def train_to_file(
    path: Path,
    samples: Samples,
    architecture: Architecture,
    training: DetectorTraining,
    *,
    resume: bool = False,
    force: bool = False,
    weights: Path | None = None,
    watched: Samples | None = None,
    inference: Inference | None = None,
    facts: Mapping[str, Any] | None = None,
    progress: Progress = lambda done, total, losses: None,
) -> tuple[Trained, Trajectory]:
    """Train, write the detector to `path`, and give it with its scores along the way on the pictures `watched`.

    A checkpoint that is already there is gone on from with `resume`, which then writes over its own detector too;
    `force` begins anew, over whatever file is there: the old checkpoint stays until the first new one takes its place.
    Without either, what is there is refused before the first step.
    """
    folder = training_folder(path)
    _check_place(path, folder, resume=resume, force=force)
    anew = force and not resume
    known = {**detector_facts(samples, training), **(facts or {})}
    as_published = training.loss.as_published
    trajectory = Trajectory(
        watched,
        replace(inference or Inference(), as_published=as_published),
        folder,
        anew=anew,
        seed=training.seed,
        as_published=as_published,
    )
    trained = train_detector(
        samples, architecture, training, folder=folder, anew=anew, weights=weights, progress=progress, look=trajectory
    )
    if is_first_process():
        save_detector(trained.net, path, known)
    return trained, trajectory


def _check_place(path: Path, folder: Path, *, resume: bool, force: bool) -> None:
    has_begun = (folder / CHECKPOINT_FILE).exists()
    if has_begun and not (resume or force):
        raise FileExistsError(
            f"{folder / CHECKPOINT_FILE}: a training has begun here; go on from it with --resume (resume=True), "
            "or begin anew with --force (force=True)"
        )
    check_file(path, force=force or (resume and has_begun))
    check_folder(path.parent)
    if folder.exists():  # made with the first checkpoint: a training that is refused leaves none behind
        check_folder(folder)


def is_first_process() -> bool:
    """Whether this is the one process that writes and tells, under `torchrun`."""
    return os.environ.get("RANK", "0") == "0"
