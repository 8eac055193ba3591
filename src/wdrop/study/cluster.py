"""The same jobs on a Dask cluster: workers compute, this process writes the store."""

from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, final

from wdrop._processes import JobProgress
from wdrop.study.kinds import execute_runs
from wdrop.study.plan import import_plugins
from wdrop.study.run import Outcome
from wdrop.study.store import Store
from wdrop.study.work import Done, Job, kept, lost, one_by_one

if TYPE_CHECKING:
    from distributed import Client

_MOST_CLAIMED = 200  # each claim is an open file, and systems allow a process 256 or 1024


def work_on_cluster(
    jobs: Sequence[Job], scheduler: str, *, progress: JobProgress = lambda job, done, total: None
) -> Done:
    """Send the jobs to the scheduler at this address, e.g. "tcp://host:8786", and keep what comes back.

    Workers need wdrop and the data, not the store: this process claims the runs of a job while the cluster has it, so
    that several processes can share the work. A job whose worker dies goes to another one; the runs of one that has
    killed three are sent one by one, and a run that does so is recorded as failed.
    """
    from distributed import Client

    try:
        client = Client(scheduler, timeout="20s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise OSError(f"no Dask scheduler at {scheduler!r}: {error}; start one with: dask scheduler") from None
    with client:
        return _Sent(client, jobs).done(progress)


@final
class _Sent:
    """Jobs on their way: those that wait, and those that the cluster has, with the claims on their runs."""

    def __init__(self, client: "Client", jobs: Sequence[Job]) -> None:
        self.client = client
        self.waiting = deque(enumerate(jobs))
        self.out: dict[Any, tuple[int, Job, ExitStack]] = {}
        self.elsewhere = 0

    def done(self, progress: JobProgress) -> Done:
        """What became of them all."""
        from distributed import KilledWorker, as_completed

        errors: list[str] = []
        try:
            for future in (arriving := as_completed(self._send())):  # type: ignore[no-untyped-call]
                i, job, claims = self.out.pop(future)
                with claims:
                    error = future.exception()
                    if isinstance(error, KilledWorker) and len(job.runs) > 1:
                        self.waiting.extendleft((i, one) for one in one_by_one(job))
                    else:
                        outcomes = future.result() if error is None else [lost(error)] * len(job.runs)
                        errors += kept(job, outcomes)
                future.release()
                arriving.update(self._send())  # type: ignore[no-untyped-call]
                progress(i, 1, 1)
        finally:
            for _, _, claims in self.out.values():
                claims.close()
        return Done(tuple(errors), self.elsewhere)

    def _send(self) -> list[Any]:
        """Send as many as may be out at once, without the runs that are in somebody else's hands."""
        futures = []
        while self.waiting and sum(len(job.runs) for _, job, _ in self.out.values()) < _MOST_CLAIMED:
            i, job = self.waiting.popleft()
            claims = ExitStack()
            runs = claims.enter_context(Store(job.store).claimed(job.runs))
            self.elsewhere += len(job.runs) - len(runs)
            if not runs:
                claims.close()
                continue
            job = replace(job, runs=runs)
            future = self.client.submit(_execute, job, pure=False)
            self.out[future] = (i, job, claims)
            futures.append(future)
        return futures


def _execute(job: Job) -> list[Outcome]:
    import torch

    import_plugins(job.plugins)
    torch.set_num_threads(1)  # a worker may have several threads of its own, each with a job
    return execute_runs(job.runs, store=job.store)  # checkpoints help where workers share the disk
