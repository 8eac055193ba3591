import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from wdrop._processes import WorkerDiedError, in_processes
from wdrop._worker import Worker

Tell = Callable[[int, int], None]


def square(job: int, tell: Tell) -> tuple[int, int, str | None]:
    tell(1, 2)
    return job**2, os.getpid(), os.environ.get("OMP_NUM_THREADS")


def fail_or_wait(folder: tuple[int, Path], tell: Tell) -> None:
    job, path = folder
    if job == 0:
        while not (path / "1").exists():
            time.sleep(0.05)
        raise ValueError("job 0 is not to be done")
    (path / "1").touch()
    time.sleep(4)
    (path / "survived").touch()


def test_results_come_in_the_order_of_the_jobs_from_processes_with_one_thread() -> None:
    told: list[tuple[int, int, int]] = []
    before = dict(os.environ)
    results = in_processes(square, [3, 1, 2], n_processes=2, progress=lambda *args: told.append(args))
    assert [value for value, _, _ in results] == [9, 1, 4]
    assert os.getpid() not in {pid for _, pid, _ in results}
    assert {threads for _, _, threads in results} == {"1"}
    assert dict(os.environ) == before


def test_a_failing_job_stops_the_others_and_nobody_else(tmp_path: Path) -> None:
    stranger = get_context("spawn").Process(target=time.sleep, args=(60,))
    stranger.start()
    try:
        with pytest.raises(ValueError, match="job 0 is not to be done"):
            in_processes(fail_or_wait, [(0, tmp_path), (1, tmp_path)], n_processes=2)
        time.sleep(5)
        assert not (tmp_path / "survived").exists()
        assert stranger.is_alive()
    finally:
        stranger.terminate()


def die(job: int, tell: Tell) -> int:
    if job == 2:
        os._exit(1)
    return job


def die_while_sending(job: int, tell: Tell) -> bytes:
    if job == 1:
        tell(0, 1)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return bytes(1_000_000)  # more than a pipe holds


class OddError(Exception):
    """Cannot be unpickled: its arguments are not what `__init__` wants."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_oddly(job: int, tell: Tell) -> None:
    raise OddError(1, 2)


def give_what_cannot_be_sent(job: int, tell: Tell) -> object:
    return lambda: job


def test_when_a_worker_dies_the_others_go_on_and_its_job_is_known() -> None:
    with pytest.raises(WorkerDiedError, match="a worker process died") as died:
        in_processes(die, [0, 1, 2, 3, 4, 2, 6], n_processes=2)
    assert died.value.results == {0: 0, 1: 1, 3: 3, 4: 4, 6: 6}
    assert sorted(died.value.lost) == [2, 5]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_worker_killed_while_it_sends_its_result_keeps_nobody_waiting() -> None:
    def too_busy_to_listen(job: int, done: int, total: int) -> None:
        time.sleep(1)

    with pytest.raises(WorkerDiedError) as died:
        in_processes(die_while_sending, [0, 1, 2], n_processes=1, progress=too_busy_to_listen)
    assert sorted(died.value.results) == [0, 2]
    assert died.value.lost == [1]


def test_an_error_comes_with_the_traceback_of_its_process(tmp_path: Path) -> None:
    (tmp_path / "1").touch()
    with pytest.raises(ValueError, match="job 0 is not to be done") as failed:
        in_processes(fail_or_wait, [(0, tmp_path)])
    assert "in fail_or_wait" in "".join(failed.value.__notes__)


@pytest.mark.parametrize(
    ("function", "message"), [(fail_oddly, "OddError: 1 and 2"), (give_what_cannot_be_sent, "pickle")]
)
def test_what_cannot_travel_is_told_all_the_same(function: Callable[[int, Tell], object], message: str) -> None:
    with pytest.raises(Exception, match=message):
        in_processes(function, [1])


def test_a_script_without_its_guard_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from wdrop._processes import in_processes\nprint(in_processes(pow, [1, 2]))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "does your script do its work under `if __name__ == '__main__':`?" in done.stderr.splitlines()[-1]


_KILLED_ONCE = """
import os, sys
from wdrop._processes import in_processes

def double(job, tell):
    return 2 * job

if __name__ == "__main__":
    print(in_processes(double, [1, 2, 3], n_processes=2))
elif not os.path.exists(sys.argv[1]):  # a worker that loads this
    open(sys.argv[1], "w").close()
    os._exit(9)
"""


def test_a_worker_killed_before_it_begins_is_replaced(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_KILLED_ONCE)
    command = [sys.executable, str(script), str(tmp_path / "killed")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout == "[2, 4, 6]\n", done.stderr
    assert (tmp_path / "killed").exists()


def test_a_worker_that_is_not_wanted_any_more_goes_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    worker = Worker(square)
    worker.leave()  # long before it can say that it is ready
    assert worker.process.exitcode == 0
    assert capfd.readouterr().err == ""


def test_no_jobs_are_done_at_once() -> None:
    assert in_processes(square, []) == []
