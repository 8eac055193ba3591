"""Run what is left of a study, side by side in processes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from platformdirs import user_cache_path

from wdrop._processes import JobProgress, WorkerDiedError, in_processes
from wdrop.nets.training import Progress
from wdrop.study.cost import guessed_cost, n_networks
from wdrop.study.kinds import execute_runs, forget_checkpoint
from wdrop.study.plan import Run, Study, import_plugins
from wdrop.study.run import Outcome
from wdrop.study.store import Store

_MOST_NETWORKS = 30  # in a job: larger stacks are hardly cheaper, and a kill would cost more


def default_store(study: Study) -> Store:
    """The study's store in the user's cache."""
    return Store(user_cache_path("wdrop") / "studies" / study.name)


@final
@dataclass(frozen=True)
class Job:
    """Runs of one method that train as one stack, where their outcomes go, and what has to be imported first."""

    runs: Sequence[Run]
    store: Path
    plugins: Sequence[str] = ()

    @property
    def title(self) -> str:
        more = f", and {len(self.runs) - 1} more" if len(self.runs) > 1 else ""
        return self.runs[0].title + more


@final
@dataclass(frozen=True)
class Done:
    """What became of a job: the errors of the runs that failed, and how many were left to another process."""

    errors: Sequence[str] = ()
    elsewhere: int = 0


def left(study: Study, store: Store) -> list[Run]:
    """The runs that are not done; a damaged record is told now, and not by the report after days of training."""
    store.rows(study.runs)
    return [run for run in study.runs if not store.has(run)]


def jobs_for(runs: Sequence[Run], store: Store, plugins: Sequence[str] = ()) -> list[Job]:
    """Runs of one method and data set together, group after group as the plan has them.

    Within a group the longest come first: no process is left with a long one at the end.
    """
    batches: list[list[Run]] = []
    for run in runs:
        for batch in reversed(batches):
            if _alike(batch[0], run) and sum(map(n_networks, batch)) + n_networks(run) <= _MOST_NETWORKS:
                batch.append(run)
                break
        else:
            batches.append([run])
    order = {group: i for i, group in enumerate(dict.fromkeys(run.group for run in runs))}
    batches.sort(key=lambda batch: (order[batch[0].group], -sum(map(guessed_cost, batch))))
    return [Job(tuple(batch), store.folder, plugins) for batch in batches]


def _alike(one: Run, other: Run) -> bool:
    if one.is_detection or other.is_detection:
        return False  # hours each: a kill must cost none but those in flight
    return (one.method, one.dataset, one.group, one.ways) == (other.method, other.dataset, other.group, other.ways)


def work(
    jobs: Sequence[Job], *, n_processes: int | None = None, progress: JobProgress = lambda job, done, total: None
) -> Done:
    """Do them all, each in one of several processes."""
    try:
        results = in_processes(run_and_store, jobs, n_processes=n_processes, progress=progress)
    except WorkerDiedError as died:
        # Too much memory beside the others, perhaps: each run once more by itself, and what kills its process fails.
        again = [(i, one) for i in died.lost for one in one_by_one(jobs[i])]
        results = [*died.results.values(), *_alone(again, progress)]
    errors = tuple(error for done in results for error in done.errors)
    return Done(errors, sum(done.elsewhere for done in results))


def run_and_store(job: Job, progress: Progress) -> Done:
    """What a worker does: the runs of the job that are neither done nor in somebody else's hands."""
    import_plugins(job.plugins)
    with Store(job.store).claimed(job.runs) as runs:
        mine = replace(job, runs=runs)
        errors = kept(mine, execute_runs(runs, progress, job.store)) if runs else []
        return Done(tuple(errors), len(job.runs) - len(runs))


def kept(job: Job, outcomes: Sequence[Outcome]) -> list[str]:
    """Put the outcomes of a job into its store; the errors of the runs that failed, as the user reads them."""
    store = Store(job.store)
    errors = []
    for run, outcome in zip(job.runs, outcomes, strict=True):
        if store.has(run):
            continue  # another process was first
        store.add(run, outcome)
        if store.has(run):
            forget_checkpoint(job.store, run)
        if error := outcome.rows[0]["error"]:
            errors.append(f"{run.title}: {error}")
    return errors


def lost(error: BaseException | str) -> Outcome:
    """The outcome of a run whose process cannot tell."""
    told = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    return Outcome([{"status": "failed", "error": told, "traceback": ""}], {})


def one_by_one(job: Job) -> list[Job]:
    """A job for each of its runs."""
    return [replace(job, runs=(run,)) for run in job.runs]


def _alone(numbered: Sequence[tuple[int, Job]], progress: JobProgress) -> list[Done]:
    """Jobs of one run each, one at a time; progress is told under the given numbers."""
    jobs = [job for _, job in numbered]
    try:
        return in_processes(
            run_and_store, jobs, n_processes=1, progress=lambda i, done, total: progress(numbered[i][0], done, total)
        )
    except WorkerDiedError as died:
        failed = [Done(tuple(kept(jobs[i], [lost(str(died))]))) for i in died.lost]
        return [*died.results.values(), *failed]
