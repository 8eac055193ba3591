"""A process that does one job after the other, and the pipe to it.

No queue and no lock is shared with other workers. So one that is killed, at whatever moment, keeps nobody waiting: its
pipe ends, and it is known which job it had. The pool of `concurrent.futures` cannot promise that: it waits for ever
for the rest of a result whose sender was killed.
"""

import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from typing import Any

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_SECONDS_TO_LEAVE = 10


@dataclass(frozen=True)
class Ready:
    """It has started, and can take its first job."""


@dataclass(frozen=True)
class Progress:
    done: int
    total: int


@dataclass(frozen=True)
class Gave:
    result: Any


@dataclass(frozen=True)
class Failed:
    error: Exception


@dataclass(frozen=True)
class Died:
    """It ended with a job in hand: killed, or the machine ran out of memory."""


@dataclass(frozen=True)
class NeverBegan:
    """It ended before it could take a job."""


Message = Ready | Progress | Gave | Failed | Died | NeverBegan


class Worker:
    """Spawned, and with one thread; does `function(job, progress)` for each job it takes.

    pipe     readable when there is something to be heard
    number   of the job it has, if it has one
    """

    def __init__(self, function: Callable[[Any, Callable[[int, int], None]], Any]) -> None:
        context = get_context("spawn")
        self.pipe, its_end = context.Pipe()
        self.process = context.Process(target=_work, args=(its_end, function))
        self.number = -1
        self._started = False
        with _one_thread_for_children():
            self.process.start()
        its_end.close()  # now nobody else holds it, and when the process ends so does the pipe

    def take_first(self, jobs: "deque[tuple[int, Any]]") -> None:
        """The first of the numbered jobs, off the queue; none if there are none."""
        if not jobs:
            return
        self.number, job = jobs.popleft()
        with suppress(OSError):  # it died just now, which will be heard
            self.pipe.send(job)

    def heard(self) -> Message:
        """The next message; waits for it."""
        try:
            message: Message = self.pipe.recv()
        except (EOFError, OSError):
            return Died() if self._started else NeverBegan()
        self._started = True
        return message

    def leave(self) -> None:
        """Without a pipe an idle worker goes by itself; one that does not is made to."""
        self.pipe.close()
        self.process.join(_SECONDS_TO_LEAVE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(pipe: "connection.Connection", function: Callable[[Any, Callable[[int, int], None]], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair: it ends its children
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the other end is closed: nothing more is wanted
        pipe.send(Ready())
        while True:
            job = pipe.recv()
            try:
                pipe.send(Gave(function(job, lambda done, total: pipe.send(Progress(done, total)))))
            except Exception as error:  # of the job, or of a result that cannot be sent
                pipe.send(Failed(_sendable(error)))


def _sendable(error: Exception) -> Exception:
    """With the traceback, which does not travel by itself; what it says, if it is one that cannot travel at all."""
    error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent() -> None:
    """A killed parent cannot end its children; they notice and go by themselves."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


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
