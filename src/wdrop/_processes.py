"""Jobs side by side in processes of their own, one thread each."""

import os
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing import connection
from typing import Any, TypeVar

from wdrop._worker import Died, Failed, Gave, NeverBegan, Progress, Ready, Worker

Job = TypeVar("Job")
Result = TypeVar("Result")

JobProgress = Callable[[int, int, int], None]
"""Told now and then: which job, how much of it is done, how much it is in all."""


_MOST_THAT_NEVER_BEGAN = 3  # in a row: one may be killed, but if none can begin, it is for another reason


class NoWorkerError(ChildProcessError):
    """No worker process could begin."""

    def __init__(self) -> None:
        super().__init__(
            "no worker process could begin: killed, or out of memory? And does your script do its work under "
            "`if __name__ == '__main__':`? It must, as every worker loads it"
        )


class WorkerDiedError(RuntimeError):
    """Worker processes ended without a word: they were killed, or the machine ran out of memory.

    results  what all the other jobs gave, by their number
    lost     the numbers of the jobs that the dead workers had
    """

    def __init__(self, results: dict[int, Any], lost: Sequence[int]) -> None:
        super().__init__("a worker process died (killed, or out of memory?)")
        self.results = results
        self.lost = list(lost)


def in_processes(
    function: Callable[[Job, Callable[[int, int], None]], Result],
    jobs: Sequence[Job],
    *,
    n_processes: int | None = None,
    progress: JobProgress = lambda job, done, total: None,
) -> list[Result]:
    """`function(job, progress)` for each job, in the order of the jobs; None takes as many processes as cores.

    Workers are spawned, not forked, and their thread count is set before they load torch, so that processes
    and threads do not multiply. A job that fails, and Ctrl-C, stop all the others. If a worker dies the others
    do what is left, and then there is a `WorkerDiedError`. Workers end when their parent does, also when it is killed.
    """
    left = deque(enumerate(jobs))
    results: dict[int, Result] = {}
    lost: list[int] = []
    never_began = 0
    n_processes = min(n_processes or os.cpu_count() or 1, len(jobs))
    workers: dict[connection.Connection, Worker] = {}
    try:
        while unfinished := len(jobs) - len(results) - len(lost):
            while len(workers) < min(n_processes, unfinished):
                worker = Worker(function)
                workers[worker.pipe] = worker
            for pipe in connection.wait(list(workers), timeout=1):  # Windows hears Ctrl-C only between two waits
                worker = workers[pipe]  # type: ignore[index]
                match worker.heard():
                    case Progress(done, total):
                        progress(worker.number, done, total)
                    case Failed(error):
                        raise error
                    case Died():
                        lost.append(worker.number)
                        del workers[worker.pipe]
                        worker.leave()
                    case NeverBegan():
                        never_began += 1
                        if never_began == _MOST_THAT_NEVER_BEGAN:
                            raise NoWorkerError
                        del workers[worker.pipe]
                        worker.leave()
                    case Gave(result):
                        results[worker.number] = result
                        worker.take_first(left)
                    case Ready():
                        never_began = 0
                        worker.take_first(left)
    except BaseException:
        for worker in workers.values():
            worker.process.terminate()
        raise
    finally:
        for worker in workers.values():
            worker.leave()
    if lost:
        raise WorkerDiedError(results, lost)
    return [results[i] for i in range(len(jobs))]
