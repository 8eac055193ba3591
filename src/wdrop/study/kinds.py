"""The two kinds of run, on tables and of detectors, carried out alike."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wdrop.data.splits import FOLDED
from wdrop.nets.training import Progress, silent
from wdrop.study.plan import Run
from wdrop.study.run import Outcome, execute_together

TRAINING = "training"
"""The folder within a store where runs keep what must outlive a kill, and detectors once they are trained."""


def execute_runs(runs: Sequence[Run], progress: Progress = silent, store: Path | None = None) -> list[Outcome]:
    """The outcomes of runs that belong together: tables as one stack, detectors one after the other."""
    if not any(run.is_detection for run in runs):
        return execute_together(runs, progress)
    from wdrop.study.detection.run import execute_detector  # needs Pillow, which tables do not

    return [execute_detector(run, progress, None if store is None else store / TRAINING / run.key) for run in runs]


def planned_rows(run: Run) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
    """What tells the rows of a run apart: the names of these columns, and what they are in every row that it leaves."""
    if run.is_detection:
        from wdrop.study.detection.run import PLACE, places

        return PLACE, places(run)
    folds = run.folds if run.split in FOLDED else (0,)
    parts = ("test",) if run.ways else ("train", "test")
    return ("fold", "part", "way"), list(itertools.product(folds, parts, run.ways or ("",)))


def forget_checkpoint(store: Path, run: Run) -> None:
    """Remove what a detection run needed only until it was stored; the detector stays."""
    if run.is_detection:
        from wdrop.study.detection.run import forget

        forget(store / TRAINING / run.key)
