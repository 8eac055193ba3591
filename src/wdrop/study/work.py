"""Run what is left of a study, side by side in processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from platformdirs import user_cache_path

from wdrop._processes import JobProgress, in_processes
from wdrop.nets.training import Progress
from wdrop.study.plan import Run, Study
from wdrop.study.run import execute
from wdrop.study.store import Store


def default_store(study: Study) -> Store:
    """The study's store in the user's cache."""
    return Store(user_cache_path("wdrop") / "studies" / study.name)


@final
@dataclass(frozen=True)
class Job:
    """A run and where its outcome goes."""

    run: Run
    store: Path


def left(study: Study, store: Store) -> list[Run]:
    """The runs that are not done, the longest first, so that no process is left with a long one at the end."""
    return sorted((run for run in study.runs if not store.has(run)), key=_cost, reverse=True)


@final
@dataclass(frozen=True)
class Tally:
    """How far a study is; `seconds_left` takes each run that is left for as long as those like it."""

    done: int
    left: int
    failed: int
    seconds: float
    seconds_left: float


def tally(study: Study, store: Store) -> Tally:
    """Count what is done, left and failed, and guess at the time to go from the runs that are done."""
    seconds = {run.key: store.seconds(run) for run in study.runs if store.has(run)}
    done = [run for run in study.runs if run.key in seconds]
    todo = [run for run in study.runs if run.key not in seconds]
    spent, cost = sum(seconds.values()), sum(_cost(run) for run in done)
    to_go = sum(_cost(run) for run in todo) * spent / cost if cost else float("nan")
    return Tally(len(done), len(todo), sum(store.has_failed(run) for run in todo), spent, to_go)


def work(runs: Sequence[Run], store: Store, *, n_processes: int | None, progress: JobProgress) -> list[str]:
    """Run them all; the errors of those that failed."""
    store.folder.mkdir(parents=True, exist_ok=True)
    jobs = [Job(run, store.folder) for run in runs]
    errors = in_processes(run_and_store, jobs, n_processes=n_processes, progress=progress) if jobs else []
    return [error for error in errors if error]


def run_and_store(job: Job, progress: Progress) -> str:
    """What a worker does; the error, if the run failed."""
    outcome = execute(job.run, progress)
    Store(job.store).add(job.run, outcome)
    error = outcome.rows[0]["error"]
    return f"{job.run.title}: {error}" if error else ""


def _cost(run: Run) -> float:
    """A rough guess at how long it takes, to order runs by."""
    epochs = getattr(getattr(run.method, "training", None), "epochs", 1)
    n = {"toy-noise": 20_000, "toy-hf": 1_000}.get(run.dataset, run.dataset_options.get("n", 1_000))
    n_networks = (len(run.folds) if run.split == "iid" else 1) * getattr(run.method, "n_members", 1)
    return epochs * n * (4 + n_networks * getattr(run.method, "n_draws", 1))
