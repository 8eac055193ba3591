"""Run what is left of a study, side by side in processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from platformdirs import user_cache_path

from wdrop._processes import JobProgress, in_processes
from wdrop.nets.training import Progress
from wdrop.study.plan import Run, Study
from wdrop.study.run import execute_together
from wdrop.study.store import Store

_MOST_NETWORKS = 30  # in a job: larger stacks are hardly cheaper, and a kill would cost more


def default_store(study: Study) -> Store:
    """The study's store in the user's cache."""
    return Store(user_cache_path("wdrop") / "studies" / study.name)


@final
@dataclass(frozen=True)
class Job:
    """Runs of one method that train as one stack, and where their outcomes go."""

    runs: Sequence[Run]
    store: Path

    @property
    def title(self) -> str:
        more = f", and {len(self.runs) - 1} more" if len(self.runs) > 1 else ""
        return self.runs[0].title + more


def left(study: Study, store: Store) -> list[Run]:
    """The runs that are not done."""
    return [run for run in study.runs if not store.has(run)]


def jobs_for(runs: Sequence[Run], store: Store) -> list[Job]:
    """Runs of one method and data set together, the longest first: no process is left with a long one at the end."""
    batches: list[list[Run]] = []
    for run in runs:
        for batch in batches:
            alike = (batch[0].method, batch[0].dataset) == (run.method, run.dataset)
            if alike and sum(map(_n_networks, batch)) + _n_networks(run) <= _MOST_NETWORKS:
                batch.append(run)
                break
        else:
            batches.append([run])
    jobs = [Job(tuple(batch), store.folder) for batch in batches]
    return sorted(jobs, key=lambda job: sum(map(_cost, job.runs)), reverse=True)


@final
@dataclass(frozen=True)
class Tally:
    """How far a study is; `seconds_left` goes by the guessed cost of what is left over that of what is done."""

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


def work(jobs: Sequence[Job], *, n_processes: int | None, progress: JobProgress) -> list[str]:
    """Do them all; the errors of the runs that failed."""
    told = in_processes(run_and_store, jobs, n_processes=n_processes, progress=progress)
    return [error for errors in told for error in errors]


def run_and_store(job: Job, progress: Progress) -> list[str]:
    """What a worker does; the errors of the runs that failed."""
    store = Store(job.store)
    errors = []
    for run, outcome in zip(job.runs, execute_together(job.runs, progress), strict=True):
        store.add(run, outcome)
        if outcome.rows[0]["error"]:
            errors.append(f"{run.title}: {outcome.rows[0]['error']}")
    return errors


def _n_networks(run: Run) -> int:
    return (len(run.folds) if run.split == "iid" else 1) * getattr(run.method, "n_members", 1)


def _cost(run: Run) -> float:
    """A rough guess at how long it takes, to order runs by."""
    epochs = getattr(getattr(run.method, "training", None), "epochs", 1)
    n = {"toy-noise": 20_000, "toy-hf": 1_000}.get(run.dataset, run.dataset_options.get("n", 1_000))
    return epochs * n * _n_networks(run) * (1 + getattr(run.method, "n_draws", 1))
