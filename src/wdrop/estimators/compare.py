"""Which method for this table? All of them, on the same folds, beside gradient boosting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop._checks import at_least, known
from wdrop._processes import JobProgress, WorkerDiedError, in_processes
from wdrop.data.splits import ALL_FOLDS, FOLDED
from wdrop.estimators.budget import budget_for
from wdrop.estimators.compare_job import CompareJob, contestants_of, run_job
from wdrop.methods import METHODS
from wdrop.report.comparison.contestant import BASELINE, Contestant

Array = NDArray[Any]
MOST_ROWS = 10_000
N_FOLDS = 10


@final
@dataclass(frozen=True)
class Plan:
    """What is compared, and how.

    methods   names out of METHODS, and "gradient_boosting", the baseline
    splits    "iid", and perhaps "label" and "pca"
    n_folds   how many of the ten tenths of the rows test, each by itself
    epochs    as of `Regressor`; None goes by `n_steps`
    n_steps   as of `Regressor`; None is its default
    max_rows  of a longer table so many rows, drawn at random, are used
    """

    methods: tuple[str, ...] = (BASELINE, *METHODS)
    splits: tuple[str, ...] = ("iid",)
    n_folds: int = N_FOLDS
    epochs: int | None = None
    n_steps: int | None = None
    max_rows: int = MOST_ROWS
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.methods:
            known("method", name, (BASELINE, *METHODS))
        for name in self.splits:
            known("split", name, sorted(FOLDED))
        at_least(1, n_methods=len(self.methods), n_splits=len(self.splits), max_rows=self.max_rows)
        if self.epochs is not None and self.n_steps is not None:
            raise ValueError(f"expected epochs or steps, got {self.epochs} and {self.n_steps}; leave one of them out")
        if not 2 <= self.n_folds <= len(ALL_FOLDS):
            raise ValueError(f"expected folds from 2 to {len(ALL_FOLDS)}, got {self.n_folds}")

    @property
    def folds(self) -> tuple[int, ...]:
        """Tenths that test: the first and the last, and evenly between."""
        return tuple(int(fold) for fold in np.linspace(0, len(ALL_FOLDS) - 1, self.n_folds).round())

    @property
    def titles(self) -> list[str]:
        """Of the jobs, in their order."""
        return [f"{method}, {split}" for split in self.splits for method in self.methods]


def methods_of(names: Sequence[str], *, baseline: bool = True) -> tuple[str, ...]:
    """The methods of a comparison, each once: those named, or all; the baseline stands first, unless it is unwanted."""
    chosen = tuple(name for name in dict.fromkeys(names or METHODS) if name != BASELINE)
    return (BASELINE, *chosen) if baseline or BASELINE in names else chosen


@final
@dataclass(frozen=True)
class Comparison:
    """What came of a plan.

    contestants  each method that is done, raw and calibrated, on each split
    errors       those that failed, "method, split" to reason
    left         those that were not reached, because somebody stopped it
    facts        how it was done, name to value
    notes        the same in sentences
    """

    contestants: Sequence[Contestant]
    errors: Mapping[str, str] = field(default_factory=dict)
    left: Sequence[str] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    notes: Sequence[str] = ()


def compare(
    x: Array,
    y: Array,
    plan: Plan | None = None,
    *,
    n_processes: int | None = None,
    progress: JobProgress = lambda job, done, total: None,
) -> Comparison:
    """Each method on each split, judged at rows that did not train; Ctrl-C keeps those that are done.

    x            (n, f), finite
    y            (n,) or (n, d), finite
    n_processes  side by side; None takes as many as cores, 1 works in this very process
    """
    plan = plan or Plan()
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64).reshape(len(y), -1)
    chosen = _some_rows(len(x), plan)
    with TemporaryDirectory(prefix="wdrop-compare-") as folder:
        jobs = _jobs(plan, x, y, chosen, Path(folder))
        for split in dict.fromkeys(job.split for job in jobs):
            next(job for job in jobs if job.split == split).splits()  # refuses tables that cannot be split, at once
        errors, stopped = _worked(jobs, n_processes, progress)
        contestants = [one for job in jobs for one in contestants_of(job)]
        left = [job.title for job in jobs if not job.place.exists() and job.title not in errors] if stopped else []
    return Comparison(contestants, errors, left, _facts(plan, len(x), len(chosen)), _notes(plan))


def _jobs(plan: Plan, x: Array, y: Array, chosen: Array, folder: Path) -> list[CompareJob]:
    pairs = [(method, split) for split in plan.splits for method in plan.methods]
    return [
        CompareJob(
            method, split, x[chosen], y[chosen], plan.folds, plan.seed, folder / f"{i}.npz", plan.epochs,
            plan.n_steps,
        )
        for i, (method, split) in enumerate(pairs)
    ]  # fmt: skip


def _worked(jobs: Sequence[CompareJob], n_processes: int | None, progress: JobProgress) -> tuple[dict[str, str], bool]:
    """The errors by title, and whether Ctrl-C came before the end; what is done lies in the jobs' places."""
    errors: dict[str, str] = {}
    try:
        if n_processes == 1:
            for i, job in enumerate(jobs):
                errors |= _run(job, _numbered(progress, i))
            return errors, False
        try:
            results = dict(enumerate(in_processes(_run, jobs, n_processes=n_processes, progress=progress)))
        except WorkerDiedError as died:
            results = died.results
            errors |= {jobs[i].title: str(died) for i in died.lost}
        for found in results.values():
            errors |= found
        return errors, False
    except KeyboardInterrupt:
        return errors, True


def _run(job: CompareJob, progress: Any) -> dict[str, str]:
    """Do the job; its error, if it has one, by its title: one method that fails does not stop the others."""
    try:
        run_job(job, progress)
    except Exception as error:
        return {job.title: f"{type(error).__name__}: {error}"}
    return {}


def _numbered(progress: JobProgress, i: int) -> Any:
    return lambda done, total: progress(i, done, total)


def _some_rows(n: int, plan: Plan) -> Array:
    """Row numbers in order: all, or as many as the plan wants."""
    if n <= plan.max_rows:
        return np.arange(n)
    return np.sort(np.random.default_rng(plan.seed).choice(n, plan.max_rows, replace=False))


def _facts(plan: Plan, n: int, n_used: int) -> dict[str, object]:
    budget = budget_for(n_used - n_used // 10, epochs=plan.epochs, n_steps=plan.n_steps)
    return {
        "rows": f"{n_used:,} of {n:,}, drawn at random" if n_used < n else f"{n:,}",
        "folds": f"{plan.n_folds} of ten",
        "training": f"{budget.epochs} epochs of batches of {budget.batch_size}",
        "seed": plan.seed,
    }


def _notes(plan: Plan) -> list[str]:
    notes = [
        "Each fold tests a tenth of the rows with networks that were trained on all others, for as long as `wdrop fit` "
        "would with this budget. Calibrated ones are as calibrate=cross has them: residuals at inner folds of the "
        "training rows set their scale. Seconds are of one core, for all folds and both forms.",
        "Gaps, words and constant columns are encoded by the whole table, without looking at the target; scales are "
        "set by the training rows of each fold.",
    ]
    if BASELINE in plan.methods:
        notes.append(
            "Gradient boosting is scikit-learn's HistGradientBoostingRegressor for the quantiles 0.05, 0.5 and 0.95. "
            "Its median is taken as mean, the distance of the outer two over 3.29 as std, as under a normal law."
        )
    return notes
