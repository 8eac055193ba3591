import os
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from wdrop._processes import in_processes

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


def test_no_jobs_are_done_at_once() -> None:
    assert in_processes(square, []) == []
