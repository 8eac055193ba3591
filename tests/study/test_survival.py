"""What kill -9, a dying worker, two runs at once and a cluster do to the records: nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from wdrop.study.plan import Study, load_study
from wdrop.study.run import execute
from wdrop.study.store import Store
from wdrop.study.work import left

PLAN = """
[groups.main]
dataset = "toy-hf"
split = "iid-80/20"
method = ["mc_dropout", { name = "w_dropout", n_draws = 3 }, "pu", "deep_ensemble"]
net = { width = 6 }
training = { epochs = 3 }
seed = [0, 1, 2]
"""
RUN = [sys.executable, "-m", "wdrop", "study", "run", "mine.toml", "--store", "store", "--jobs", "2"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(PLAN)
    return tmp_path


def same_as_serial(study: Study, store: Store) -> None:
    """Every record is there, once, and equals that of a run by itself."""
    assert left(study, store) == []
    for run in study.runs:
        alone = execute(run).rows
        for mine, theirs in zip(store.own_rows(run), alone, strict=True):
            assert (mine["fold"], mine["part"]) == (theirs["fold"], theirs["part"])
            for name in ("rmse", "nll", "std_mean"):
                assert mine[name] == pytest.approx(theirs[name], rel=1e-3)


def wait_for(folder: Path, n: int, process: "subprocess.Popen[Any]") -> None:
    until = time.monotonic() + 120
    while len(list(folder.glob("*/record.json"))) < n:
        assert process.poll() is None, "ended before it could be killed"
        assert time.monotonic() < until
        time.sleep(0.02)


def test_kill_dash_nine_costs_the_runs_in_flight_and_nothing_else(place: Path) -> None:
    plan = (place / "mine.toml").read_text().replace("epochs = 3", "epochs = 40")
    (place / "mine.toml").write_text(plan)
    killed = subprocess.Popen(RUN, cwd=place, stdout=subprocess.DEVNULL, start_new_session=True)
    wait_for(place / "store", 1, killed)
    killed.kill()
    killed.wait()
    study, store = load_study(str(place / "mine.toml")), Store(place / "store")
    finished = {run.key: store.own_rows(run) for run in study.runs if store.has(run)}
    assert 0 < len(finished) < len(study.runs)
    subprocess.run(RUN, cwd=place, check=True, capture_output=True, timeout=240)
    assert left(study, store) == []
    assert all(store.own_rows(run) == finished[run.key] for run in study.runs if run.key in finished)  # not repeated
    assert len(list(store.folder.glob("*/record.json"))) == len(study.runs)


def test_two_runs_on_one_store_share_the_work(place: Path) -> None:
    both = [subprocess.Popen(RUN, cwd=place, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate(timeout=240)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    study, store = load_study(str(place / "mine.toml")), Store(place / "store")
    assert sum(int(line.split()[0]) for line in told) == len(study.runs)
    same_as_serial(study, store)


DYING = """
import os
from dataclasses import dataclass
from wdrop.methods import METHODS, Method

@dataclass(frozen=True)
class Dying(Method):
    def fit_many(self, trains, *, generators, progress=None):
        os._exit(9)

METHODS["dying"] = Dying
"""


def test_a_worker_that_dies_is_recorded_and_the_rest_goes_on(place: Path) -> None:
    (place / "dying.py").write_text(DYING)
    plan = 'plugins = ["dying"]\n' + (place / "mine.toml").read_text()
    (place / "mine.toml").write_text(plan + '\n[groups.bad]\ndataset = "toy-hf"\nmethod = "dying"\n')
    done = subprocess.run(RUN, cwd=place, capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert done.stdout.startswith("12 runs done")
    assert done.stderr.startswith(
        "bad: dying on toy-hf, iid, seed 0: a worker process died (killed, or out of memory?)"
    )
    assert done.stderr.count("\n") == 1


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, "list[subprocess.Popen[Any]]"]]:
    """A scheduler and two workers, in processes of their own."""
    address_file = folder / "scheduler.json"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    base = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--port", "0", "--no-dashboard", "--scheduler-file", str(address_file)]
    scheduler = subprocess.Popen([*base, *options], **quiet)
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(address_file)]
    worker += ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder / "scratch")]
    processes = [scheduler]
    try:
        until = time.monotonic() + 60
        while not address_file.exists():
            assert time.monotonic() < until
            time.sleep(0.1)
        import json

        address = json.loads(address_file.read_text())["address"]
        processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_records_also_when_a_worker_is_killed_at_work(place: Path) -> None:
    pytest.importorskip("distributed")
    plan = (place / "mine.toml").read_text().replace("epochs = 3", "epochs = 30")
    (place / "mine.toml").write_text(plan)
    with cluster(place) as (address, workers):
        run = subprocess.Popen([*RUN[:-2], "--scheduler", address], cwd=place, stdout=subprocess.PIPE, text=True)
        wait_for(place / "store", 1, run)  # both workers are at work now, and most is still to do
        os.kill(workers[0].pid, signal.SIGKILL)
        told = run.communicate(timeout=240)[0]
    assert run.returncode == 0
    study = load_study(str(place / "mine.toml"))
    assert told.startswith(f"{len(study.runs)} runs done")
    same_as_serial(study, Store(place / "store"))
