import os
import time
from collections.abc import Callable

import pytest

from wdrop._processes import in_processes

Tell = Callable[[int, int], None]


def square(job: int, tell: Tell) -> tuple[int, int, str | None]:
    tell(1, 2)
    return job**2, os.getpid(), os.environ.get("OMP_NUM_THREADS")


def fail_or_wait(job: int, tell: Tell) -> int:
    if job == 0:
        raise ValueError("job 0 is not to be done")
    time.sleep(60)
    return job


def test_results_come_in_the_order_of_the_jobs_from_processes_with_one_thread() -> None:
    told: list[tuple[int, int, int]] = []
    before = dict(os.environ)
    results = in_processes(square, [3, 1, 2], n_processes=2, progress=lambda *args: told.append(args))
    assert [value for value, _, _ in results] == [9, 1, 4]
    assert os.getpid() not in {pid for _, pid, _ in results}
    assert {threads for _, _, threads in results} == {"1"}
    assert dict(os.environ) == before


def test_a_failing_job_stops_the_others_and_its_error_comes_through() -> None:
    start = time.monotonic()
    with pytest.raises(ValueError, match="job 0 is not to be done"):
        in_processes(fail_or_wait, [0, 1], n_processes=2)
    assert time.monotonic() - start < 30
