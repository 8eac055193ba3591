import json
import math
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wdrop.study.adopt import Recorded, recorded
from wdrop.study.cost import tally
from wdrop.study.plan import Run, Study, load_study, parse_study
from wdrop.study.remeasure import remeasure
from wdrop.study.reports.parts import PRECISION, records
from wdrop.study.run import Outcome, execute, execute_together
from wdrop.study.store import Store
from wdrop.study.work import Done, Job, jobs_for, left, run_and_store, work

PLAN: dict[str, Any] = {
    "groups": {
        "main": {
            "dataset": "toy-hf",
            "method": ["mc_dropout", "w_dropout", "deep_ensemble"],
            "net": {"width": 6},
            "training": {"epochs": 1},
            "folds": [0, 3],
        }
    }
}


@pytest.fixture
def study() -> Study:
    return parse_study("test", PLAN)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "store").mkdir()
    return Store(tmp_path / "store")


def test_a_run_gives_a_row_per_fold_and_part_and_keeps_its_predictions(study: Study) -> None:
    outcome = execute(study.runs[0])
    assert [(row["fold"], row["part"]) for row in outcome.rows] == [
        (0, "train"),
        (0, "test"),
        (3, "train"),
        (3, "test"),
    ]
    row = outcome.rows[1]
    assert (row["status"], row["n_train"], row["n_judged"]) == ("done", 900, 100)
    mean, std, y = (outcome.arrays[f"0/test/{name}"] for name in ("mean", "std", "y"))
    assert mean.shape == std.shape == y.shape == (100,)
    assert row["rmse"] == pytest.approx(float(np.sqrt(np.mean((mean - y) ** 2))), rel=1e-5)


def test_a_run_depends_on_its_config_alone(study: Study) -> None:
    first, again = (execute(study.runs[1]).rows for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert {**one, "seconds": 0, "peak_mib": 0} == {**other, "seconds": 0, "peak_mib": 0}
    assert execute(replace(study.runs[1], seed=1)).rows[1]["rmse"] != first[1]["rmse"]


def test_curves_are_kept_when_asked_for(study: Study) -> None:
    arrays = execute(replace(study.runs[1], curve=True, split="iid-80/20")).arrays
    assert arrays["0/curve/samples"].shape == (500, 600)
    assert arrays["0/curve/x"][[0, -1]].tolist() == [-15, 20]


def test_without_target_scaling_std_is_in_the_units_of_y(study: Study) -> None:
    scaled, plain = (execute(replace(study.runs[1], scale_y=flag)).arrays["0/test/y"] for flag in (True, False))
    assert np.std(plain) > 10 * np.std(scaled)


def test_what_is_stored_is_read_back_and_not_run_again(study: Study, store: Store) -> None:
    assert work(jobs_for(study.runs, store), n_processes=2) == Done()
    assert left(study, store) == []
    rows = store.rows(study.runs)
    assert len(rows) == 12
    assert {(row["method"], row["dataset"], row["split"], row["seed"]) for row in rows} == {
        (method, "toy-hf", "iid", 0) for method in ("mc_dropout", "w_dropout", "deep_ensemble")
    }
    assert "3/test/std" in store.arrays(study.runs[0])
    count = tally(study, store)
    assert (count.done, count.left, count.failed, count.seconds_left) == (3, 0, 0, 0)


@pytest.mark.parametrize("method", ["w_dropout", "pu"])  # trained by hand, and by autograd
def test_seconds_are_those_of_the_thread_that_works(study: Study, method: str) -> None:
    """A worker of a cluster may have several threads, each with a run of its own."""
    [first, second] = (
        parse_study("test", {"groups": {"main": {**PLAN["groups"]["main"], "method": method, "seed": seed}}}).runs[0]
        for seed in (0, 1)
    )
    start = time.process_time()
    with ThreadPoolExecutor(2) as threads:
        outcomes = list(threads.map(execute, [first, second]))
    assert sum(outcome.rows[0]["seconds"] for outcome in outcomes) <= time.process_time() - start + 0.002


def test_runs_of_one_method_share_a_stack_and_come_out_as_if_alone(study: Study, store: Store) -> None:
    run = study.runs[1]
    runs = [run, replace(run, seed=1), replace(run, split="iid-50/50"), study.runs[0]]
    jobs = jobs_for(runs, store)
    assert sorted(len(job.runs) for job in jobs) == [1, 3]
    [together] = [job for job in jobs if len(job.runs) == 3]
    for one, outcome in zip(together.runs, execute_together(together.runs), strict=True):
        for mine, alone in zip(outcome.rows, execute(one).rows, strict=True):
            for name in ("rmse", "nll", "std_mean"):
                assert mine[name] == pytest.approx(alone[name], rel=1e-3)


def test_in_a_stack_a_runs_error_is_its_own(study: Study) -> None:
    good, bad = execute_together([study.runs[1], failing(study.runs[1])])
    assert good.rows[0]["status"] == "done"
    assert "expected at least 10 points for 10 folds, got 5" in bad.rows[0]["error"]


def failing(run: Run) -> Run:
    return replace(run, dataset_options={"n": 5})


def test_a_failed_run_leaves_its_error_and_may_be_tried_again(study: Study, store: Store) -> None:
    broken = failing(study.runs[0])
    plan = Study("test", "t", [broken, study.runs[1]])
    [error] = work(jobs_for(plan.runs, store), n_processes=1).errors
    assert error.endswith("ValueError: expected at least 10 points for 10 folds, got 5")
    assert [run.key for run in left(plan, store)] == [broken.key]  # the other went on
    assert tally(plan, store).failed == 1
    rows = store.rows(plan.runs)
    assert [row["status"] for row in rows] == ["failed", "done", "done", "done", "done"]


def test_nothing_half_written_is_left_behind(study: Study, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    arrays = {"0/test/y": np.zeros(3)}
    with pytest.raises(OSError, match=r"cannot write to the store .*: No space left on device; .* finished is kept"):
        store.add(study.runs[0], Outcome([{"status": "done", "error": "", "seconds": 1.0}], arrays))
    assert list(store.folder.iterdir()) == []
    assert not store.has(study.runs[0])


def test_a_run_that_another_process_has_ended_stays_as_it_is(study: Study, store: Store) -> None:
    run = study.runs[0]
    for value in (1.0, 2.0):
        store.add(run, Outcome([{"status": "done", "error": "", "seconds": value, "fold": 0, "part": "test"}], {}))
    assert store.own_rows(run)[0]["seconds"] == 1.0
    assert [path.name for path in store.folder.iterdir()] == [run.key]


def test_a_killed_worker_leaves_nothing_that_counts(study: Study, store: Store) -> None:
    """A folder under another name is what kill -9 leaves; it is no record."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host = socket.gethostname()
    parts = [store.folder / f"{study.runs[0].key}.part-{host}-{pid}-12345678" for pid in (ended.pid, os.getpid())]
    for part in parts:
        part.mkdir()
        (part / "record.json").write_text("{")
    assert len(left(study, store)) == 3
    assert store.rows(study.runs) == []
    store.sweep()
    assert [part.exists() for part in parts] == [False, True]  # a living process may still be writing


def test_a_run_in_somebody_elses_hands_is_left_to_them(study: Study, store: Store) -> None:
    job = Job(study.runs, store.folder)
    with store.claimed(study.runs[:1]) as mine:
        assert mine == [study.runs[0]]
        assert run_and_store(Job(study.runs[:1], store.folder), lambda *a: None) == Done(elsewhere=1)
    assert left(study, store) == list(study.runs)
    store.add(study.runs[0], execute(study.runs[0]))
    with store.claimed(job.runs) as mine:
        assert mine == list(study.runs[1:])


def test_remeasuring_needs_the_predictions_alone(study: Study, store: Store) -> None:
    for run in study.runs[:2]:
        store.add(run, execute(run))
    before = store.own_rows(study.runs[0])
    store.replace_rows(study.runs[0], [{**row, "rmse": -1.0} for row in before])
    (store.folder / study.runs[1].key / "predictions.npz").unlink()
    assert remeasure(study, store) == [study.runs[1]]
    for row, was in zip(store.own_rows(study.runs[0]), before, strict=True):
        assert row["rmse"] == pytest.approx(was["rmse"], rel=1e-5)
        assert row["seconds"] == was["seconds"]


def test_a_study_goes_on_from_a_table_of_records(study: Study, store: Store, tmp_path: Path) -> None:
    for run in study.runs[:2]:
        store.add(run, execute(run))
    rows = store.own_rows(study.runs[1])
    store.replace_rows(study.runs[1], [{**rows[0], "rmse": math.inf, "nll": 1e-12}, *rows[1:]])
    records(study, store).to_csv(tmp_path / "records.csv", index=False)
    elsewhere = Store(tmp_path / "elsewhere")
    found = recorded(study, elsewhere, tmp_path / "records.csv")
    assert (list(found.rows), found.n_cut) == ([run.key for run in study.runs[:2]], 0)
    assert left(study, found.beside(elsewhere)) == [study.runs[2]]
    assert not elsewhere.folder.exists()
    assert records(study, found.beside(elsewhere)).equals(records(study, store))
    found.into(elsewhere, study)
    assert recorded(study, elsewhere, tmp_path / "records.csv") == Recorded({}, 0)
    assert left(study, elsewhere) == [study.runs[2]]
    assert not elsewhere.has_arrays(study.runs[0])
    for mine, theirs in zip(elsewhere.own_rows(study.runs[1]), store.own_rows(study.runs[1]), strict=True):
        assert mine == {k: float(f"{v:{PRECISION}}") if isinstance(v, float) else v for k, v in theirs.items()}
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"other.csv: not a table of records: it has no column fold, key, part"):
        recorded(study, elsewhere, tmp_path / "other.csv")


def test_a_run_that_a_table_has_in_part_is_left_out(study: Study, store: Store, tmp_path: Path) -> None:
    for run in study.runs[:2]:
        store.add(run, execute(run))
    text = records(study, store).to_csv(index=False)
    elsewhere = Store(tmp_path / "elsewhere")
    lines = text.splitlines(keepends=True)
    for cut in ("".join(lines[:-1]), text[:-1], text[:-20], text + lines[-1]):
        (tmp_path / "records.csv").write_text(cut)
        found = recorded(study, elsewhere, tmp_path / "records.csv")
        assert (list(found.rows), found.n_cut) == ([study.runs[0].key], 1)


@pytest.mark.parametrize("name", ["uci", "toy", "calibration", "closed_form", "mini"])
def test_published_records_are_taken_whole_and_written_as_they_were(name: str, tmp_path: Path) -> None:
    plan = load_study(name)
    path = Path(__file__).parents[2] / "results" / plan.results / "records.csv"
    found = recorded(plan, Store(tmp_path), path)
    assert (len(found.rows), found.n_cut) == (len(plan.runs), 0)
    again = records(plan, found.beside(Store(tmp_path))).to_csv(index=False, float_format="%.6g")
    assert again.encode() == path.read_bytes()


def test_memory_and_time_of_the_whole_plan_are_told(study: Study, store: Store) -> None:
    store.add(study.runs[0], execute(study.runs[0]))
    count = tally(study, store)
    assert 50 < count.peak_mib < 4000
    assert count.total_seconds > count.seconds > 0
    assert count.wall_seconds_left(1) == count.seconds_left
    assert count.wall_seconds_left(64) == count.wall_seconds_left(2) == count.seconds_left / 2  # two runs are left


def test_a_damaged_record_is_named(study: Study, store: Store) -> None:
    run_and_store(Job(study.runs[:1], store.folder), lambda *a: None)
    path = store.folder / study.runs[0].key / "record.json"
    for damaged in ("", path.read_text()[:50], '{"rows": []}', '{"rows": [{"status": "done"}]}', '{"rows": [3]}'):
        path.write_text(damaged)
        with pytest.raises(ValueError, match=r"record.json' is damaged; delete the folder"):
            left(study, store)  # before anything is run


def test_damaged_predictions_are_named(study: Study, store: Store) -> None:
    run = study.runs[0]
    store.add(run, execute(run))
    path = store.folder / run.key / "predictions.npz"
    whole = path.read_bytes()
    middle = len(whole) // 2
    for damaged in (b"", whole[:middle], b"no zip at all", whole[:middle] + b"!" * 20 + whole[middle + 20 :]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"predictions.npz' is damaged; delete the folder"):
            remeasure(study, store)


def test_a_folder_without_a_record_is_replaced(study: Study, store: Store) -> None:
    run = study.runs[0]
    (store.folder / run.key).mkdir()
    (store.folder / run.key / "predictions.npz").touch()
    outcome = execute(run)
    store.add(run, outcome)
    assert store.own_rows(run) == list(outcome.rows)
    assert set(store.arrays(run)) == set(outcome.arrays)


def test_rows_that_cannot_be_written_leave_the_old_ones_alone(
    study: Study, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = study.runs[0]
    store.add(run, execute(run))
    before = store.own_rows(run)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"cannot write to the store .*: No space left on device"):
        store.replace_rows(run, [])
    assert store.own_rows(run) == before
    assert sorted(path.name for path in (store.folder / run.key).iterdir()) == ["predictions.npz", "record.json"]


def test_records_are_plain_json(study: Study, store: Store) -> None:
    store.add(study.runs[0], execute(study.runs[0]))
    record = json.loads((store.folder / study.runs[0].key / "record.json").read_text())
    assert record["config"]["method"]["training"]["epochs"] == 1
    assert record["config"]["schema"] == 1
