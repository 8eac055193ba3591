"""The same jobs on a Dask cluster: workers compute, this process writes the store."""

from collections.abc import Sequence
from typing import Any

from wdrop._processes import JobProgress
from wdrop.study.kinds import execute_runs
from wdrop.study.plan import import_plugins
from wdrop.study.run import Outcome
from wdrop.study.store import Store
from wdrop.study.work import Done, Job, errors_of


def work_on_cluster(
    jobs: Sequence[Job], scheduler: str, *, progress: JobProgress = lambda job, done, total: None
) -> Done:
    """Send the jobs to the scheduler at this address, e.g. "tcp://host:8786", and keep what comes back.

    Workers need wdrop and the data, not the store. A job whose worker dies goes to another one; a job that has killed
    three is given up and recorded as failed.
    """
    from distributed import Client, as_completed

    try:
        client = Client(scheduler, timeout="20s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise OSError(f"no Dask scheduler at {scheduler!r}: {error}; start one with: dask scheduler") from None
    errors: list[str] = []
    with client:
        futures = {client.submit(_execute, job, pure=False, key=f"{i}-{job.title}"): i for i, job in enumerate(jobs)}
        for future in as_completed(futures):  # type: ignore[no-untyped-call]
            i = futures[future]
            errors += _keep(jobs[i], future)
            future.release()
            progress(i, 1, 1)
    return Done(tuple(errors))


def _execute(job: Job) -> list[Outcome]:
    import torch

    import_plugins(job.plugins)
    torch.set_num_threads(1)  # a worker may have several threads of its own, each with a job
    return execute_runs(job.runs, store=job.store)  # checkpoints help where workers share the disk


def _keep(job: Job, future: Any) -> list[str]:
    store = Store(job.store)
    error = future.exception()
    if error is None:
        outcomes: list[Outcome] = future.result()
    else:
        told = {"status": "failed", "error": f"{type(error).__name__}: {error}", "traceback": ""}
        outcomes = [Outcome([told], {}) for _ in job.runs]
    errors = []
    for run, outcome in zip(job.runs, outcomes, strict=True):
        if not store.has(run):
            store.add(run, outcome)
            errors += errors_of(run, outcome)
    return errors
