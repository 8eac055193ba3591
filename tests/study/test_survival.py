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
from wdrop.study.work import Done, jobs_for, left

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


def wait_for(folder: Path, pattern: str, n: int, process: "subprocess.Popen[Any]") -> list[Path]:
    until = time.monotonic() + 120
    while len(found := list(folder.glob(pattern))) < n:
        assert process.poll() is None, "ended before it could be killed"
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def test_kill_dash_nine_costs_the_runs_in_flight_and_nothing_else(place: Path) -> None:
    plan = (place / "mine.toml").read_text().replace("epochs = 3", "epochs = 40")
    (place / "mine.toml").write_text(plan)
    killed = subprocess.Popen(RUN, cwd=place, stdout=subprocess.DEVNULL, start_new_session=True)
    wait_for(place / "store", "*/record.json", 1, killed)
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
from wdrop.methods import METHODS, PU

@dataclass(frozen=True, kw_only=True)
class Dying(PU):
    def fit_many(self, trains, **rest):
        if any(len(train) == 500 for train in trains):
            os._exit(9)
        return super().fit_many(trains, **rest)

METHODS["dying"] = Dying
"""


def test_a_run_that_kills_its_worker_fails_and_its_neighbours_do_not(place: Path) -> None:
    (place / "dying.py").write_text(DYING)
    plan = 'plugins = ["dying"]\n' + (place / "mine.toml").read_text()
    bad = '[groups.bad]\ndataset = "toy-hf"\nmethod = "dying"\nsplit = ["iid-80/20", "iid-50/50", "all"]\n'
    (place / "mine.toml").write_text(plan + bad + "training = { epochs = 2 }\n")
    done = subprocess.run(RUN, cwd=place, capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert done.stdout.startswith("14 runs done")
    assert done.stderr.startswith(
        "bad: dying on toy-hf, iid-50/50, seed 0: a worker process died (killed, or out of memory?)"
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


WAITING = """
import os
import time
from dataclasses import dataclass
from pathlib import Path
from wdrop.methods import METHODS, PU

@dataclass(frozen=True, kw_only=True)
class Waiting(PU):
    def fit_many(self, trains, **rest):
        Path(f"at-work-{os.getpid()}").touch()
        while not Path("go").exists():
            time.sleep(0.05)
        return super().fit_many(trains, **rest)

METHODS["waiting"] = Waiting
"""


def test_a_cluster_gives_the_same_records_also_when_a_worker_is_killed_at_work(place: Path) -> None:
    pytest.importorskip("distributed")
    (place / "waiting.py").write_text(WAITING)
    held = '[groups.held]\ndataset = "toy-hf"\nmethod = "waiting"\nsplit = "all"\ntraining = { epochs = 2 }\n'
    (place / "held.toml").write_text('plugins = ["waiting"]\n' + PLAN + held)
    with cluster(place) as (address, workers):
        options = ["--store", "store", "--scheduler", address]
        run = subprocess.Popen([*RUN[:5], "held.toml", *options], cwd=place, stdout=subprocess.PIPE, text=True)
        [first] = wait_for(place, "at-work-*", 1, run)
        killed = int(first.name.rpartition("-")[2])
        assert killed in [worker.pid for worker in workers]
        os.kill(killed, signal.SIGKILL)  # while it holds a job, as that one waits
        wait_for(place, "at-work-*", 2, run)  # the other worker has it now
        (place / "go").touch()
        told = run.communicate(timeout=240)[0]
    assert run.returncode == 0
    study = load_study(str(place / "mine.toml"))
    assert told.startswith(f"{len(study.runs) + 1} runs done")
    same_as_serial(study, Store(place / "store"))


def test_two_studies_on_one_scheduler_keep_their_results_apart(place: Path) -> None:
    """A run's title tells neither width nor epochs."""
    pytest.importorskip("distributed")
    from wdrop.study.cluster import work_on_cluster

    path = place / "other.toml"
    path.write_text(PLAN.replace("width = 6", "width = 7"))
    studies = [load_study(str(place / "mine.toml")), load_study(str(path))]
    stores = [Store(place / "one"), Store(place / "two")]
    first, second = (jobs_for(study.runs, store) for study, store in zip(studies, stores, strict=True))
    inner: list[Done] = []
    with cluster(place) as (address, _):

        def meanwhile(*told: int) -> None:
            if not inner:  # the first study still holds all of its jobs but one
                inner.append(work_on_cluster(second, address))

        assert [work_on_cluster(first, address, progress=meanwhile), *inner] == [Done(), Done()]
    for study, store in zip(studies, stores, strict=True):
        same_as_serial(study, store)


def test_a_cluster_leaves_runs_in_other_hands_to_them(place: Path) -> None:
    pytest.importorskip("distributed")
    from wdrop.study.cluster import work_on_cluster

    study, store = load_study(str(place / "mine.toml")), Store(place / "store")
    theirs = study.runs[0]
    with cluster(place) as (address, _), store.claimed([theirs]):

        def claimed_too(*told: int) -> None:
            with store.claimed(study.runs) as free:
                in_hand.append(len(study.runs) - len(free) - sum(map(store.has, study.runs)))

        in_hand: list[int] = []
        done = work_on_cluster(jobs_for(study.runs, store), address, progress=claimed_too)
    assert done == Done(elsewhere=1)
    assert left(study, store) == [theirs]
    assert in_hand[0] > 1  # while the cluster has them, they are claimed like those of a local process
