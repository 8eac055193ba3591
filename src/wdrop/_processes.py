"""Jobs side by side in processes of their own, one thread each."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, connection, get_context, parent_process
from queue import Empty
from typing import Any, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

JobProgress = Callable[[int, int, int], None]
"""Told now and then: which job, how much of it is done, how much it is in all."""

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_told: Any = None  # in a worker: the queue on which it tells its progress
_begun: Any = None  # in a worker: a flag for each job that some worker has taken up


class WorkerDiedError(RuntimeError):
    """A worker process ended without a word: it was killed, or the machine ran out of memory.

    results    what the jobs gave that were done by then, by their number
    in_flight  the numbers of the jobs that had begun and were not done; one of them was the dead worker's
    """

    def __init__(self, results: dict[int, Any], in_flight: Sequence[int]) -> None:
        super().__init__("a worker process died (killed, or out of memory?)")
        self.results = results
        self.in_flight = list(in_flight)


def in_processes(
    function: Callable[[Job, Callable[[int, int], None]], Result],
    jobs: Sequence[Job],
    *,
    n_processes: int | None = None,
    progress: JobProgress = lambda job, done, total: None,
) -> list[Result]:
    """`function(job, progress)` for each job, in the order of the jobs; None takes as many processes as cores.

    Workers are spawned, not forked, and their thread count is set before they load torch, so that processes
    and threads do not multiply. A job that fails, and Ctrl-C, stop all the others; a worker that dies raises
    `WorkerDiedError`. Workers end when their parent does, also when it is killed.
    """
    if not jobs:
        return []
    context = get_context("spawn")
    others = set(active_children())
    told = context.Queue()
    begun = context.RawArray("b", len(jobs))
    n_processes = min(n_processes or os.cpu_count() or 1, len(jobs))
    with _one_thread_for_children():
        executor = ProcessPoolExecutor(n_processes, context, _start_worker, (told, begun))
        try:
            futures = [executor.submit(_work, function, i, job) for i, job in enumerate(jobs)]
            _watch(futures, told, progress)
            return [future.result() for future in futures]
        except BrokenProcessPool:
            results = {i: future.result() for i, future in enumerate(futures) if _succeeded(future)}
            raise WorkerDiedError(results, [i for i, flag in enumerate(begun) if flag and i not in results]) from None
        except BaseException:
            for child in set(active_children()) - others:
                child.terminate()
            raise
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            told.close()


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _watch(futures: Sequence[Future[Any]], told: Any, progress: JobProgress) -> None:
    """Pass progress on until all is done or one job has failed."""
    left = set(futures)
    while left:
        done, left = wait(left, timeout=0.1, return_when=FIRST_COMPLETED)
        if any(future.exception() for future in done):
            return
        try:
            while True:
                progress(*told.get_nowait())
        except Empty:
            pass


def _start_worker(told: Any, begun: Any) -> None:
    global _told, _begun
    _told, _begun = told, begun
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair: it ends its children
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed parent cannot end its children; they notice and go by themselves."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(function: Callable[[Job, Callable[[int, int], None]], Result], i: int, job: Job) -> Result:
    _begun[i] = 1
    return function(job, lambda done, total: _told.put((i, done, total)))


@contextmanager
def _one_thread_for_children() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in _THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
