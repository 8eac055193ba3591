"""The comparison with peers: its problems, its arithmetic and its report; no contender is installed or run here."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.peers import records, report
from benchmarks.peers.environments import last_line
from benchmarks.peers.harness import Job, Way, extrapolated, fit
from benchmarks.peers.plan import Key, Plan, lines_of_user_code
from benchmarks.peers.problems import PROBLEMS, arrays, fingerprint
from benchmarks.peers.ratios import fastest_peer, speed_ratios

from wdrop.measures import evaluate


def record(key: Key, **values: Any) -> tuple[Key, dict[str, Any]]:
    common = {"version": "1", "epochs": 150, "epochs_measured": 150, "predict_seconds": 1.0, "peak_megabytes": 300.0}
    return key, {**common, "fit_seconds": 2.0, "model_bytes": 4000, "rmse": 0.1, "error": "", **values}


RECORDS = [
    record(Key("wdrop", "mc_dropout", "small", 50, 0), fit_seconds=1.0, predict_seconds=0.2),
    record(Key("wdrop", "mc_dropout", "small", 50, 1), fit_seconds=3.0, predict_seconds=0.4),
    record(Key("wdrop", "w_dropout_closed", "small", 50, 0), predict_seconds=0.02),
    record(Key("plain_pytorch", "mc_dropout", "small", 50, 0), fit_seconds=1.5, predict_seconds=0.5),
    record(Key("slow", "mc_dropout", "small", 50, 0), fit_seconds=50.0, epochs_measured=9, rmse=""),
    record(Key("quick", "mc_dropout", "small", 50, 0), fit_seconds=8.0, predict_seconds=0.9),
    record(Key("quick", "swag", "small", 50, 0), fit_seconds="", error="it | broke"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for key, values in RECORDS:
        records.append(tmp_path / "records.csv", key, values)
    good = {"version": "1", "packages": 9, "megabytes": 700.0, "import_seconds": 1.5, "lines": 7, "note": "a note"}
    bad = {"note": "", "lines": 3, "error": "no matching distribution found"}
    machine = {"processor": "a chip", "cores": 2, "system": "Linux", "python": "3.11", "date": "2026-01-01"}
    contenders = {"wdrop": good, "plain_pytorch": {**good, "import_seconds": 1.0}, "missing": bad}
    (tmp_path / "versions.json").write_text(json.dumps({"machine": machine, "contenders": contenders}))
    return tmp_path


def test_everybody_is_given_the_same_points() -> None:
    points = arrays(PROBLEMS["small"])
    assert fingerprint(points) == "6253a9bf81e2"
    assert points["train_x"].shape == (1000, 1)
    assert points["train_y"][:3] == pytest.approx([0.84863, 0.64344, 0.99929], abs=1e-4)


def test_the_true_mean_and_std_are_a_perfect_forecast() -> None:
    points = arrays(PROBLEMS["middle"])
    scores = evaluate(points["test_mean"], points["test_std"], points["test_y"])
    assert scores["ws"] < 0.05
    assert scores["coverage"] == pytest.approx(0.9, abs=0.01)


def test_what_is_paid_once_is_not_multiplied() -> None:
    assert extrapolated(first=7.0, seconds=9.0, measured=3, epochs=150) == pytest.approx(6 + 150)
    assert extrapolated(first=7.0, seconds=9.0, measured=150, epochs=150) == 9.0


def test_a_fit_that_takes_too_long_is_measured_on_fewer_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(np.cumsum([0.0, 1.0, 0.0, 4.0]).tolist())  # the first epoch takes 1 s, then four take 4 s
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    asked: list[int] = []
    way = Way(lambda x, y, job: asked.append(job.epochs), lambda model, x: (x, x))
    fitted = fit(way, np.zeros((1, 1)), np.zeros(1), Job(method="any", width=5, epochs=150, most_seconds=4))
    assert asked == [1, 4]
    assert fitted.seconds == pytest.approx(150.0)
    assert fitted.epochs_measured == 4


def test_user_code_is_counted_without_blanks_and_comments() -> None:
    script = "import a\n# user code\nimport b\n\n# why\nc = 1\n# end\nd = 2\n    # user code\n    e = 3\n    # end\n"
    assert lines_of_user_code(script) == 3


def test_every_contender_has_a_script_with_its_methods_and_marks() -> None:
    plan = Plan.read()
    for contender in plan.contenders.values():
        text = contender.script.read_text(encoding="utf-8")
        assert lines_of_user_code(text) > 0, contender.name
        assert [method for method in contender.methods if method not in text] == []


def test_contenders_take_turns_and_rounds_keep_their_number_of_repeats() -> None:
    plan = Plan.read()
    keys = [key for key, _ in plan.jobs(["wdrop", "uqregressors"], repeats=3)]
    assert len(set(keys)) == len(keys)
    first = [(key.contender, key.method) for key in keys[:2]]
    assert first == [("wdrop", "mc_dropout"), ("uqregressors", "mc_dropout")]
    assert {key.repeat for key in keys if key.problem == "middle" and key.width == 100} == {0}


def test_a_job_that_failed_is_done_again_and_one_that_is_done_is_not(folder: Path) -> None:
    path, failed = folder / "records.csv", Key("quick", "swag", "small", 50, 0)
    assert failed not in records.done(path)
    records.append(path, *record(failed))
    assert failed in records.done(path)
    assert len(records.read(path)) == len(RECORDS)


def test_ratios_are_of_medians_against_the_fastest_library(folder: Path) -> None:
    middle = records.medians(records.read(folder / "records.csv"))
    assert "swag" not in set(middle["method"])  # it failed
    assert fastest_peer(middle, "fit_seconds", "small", 50) == ("quick", 8.0)  # the user's own loop is no library
    found = {(one.statement, one.against): one for one in speed_ratios(middle)}
    fit_ratio = found["1,000 × 1, 2x50: MC dropout fit", "quick"]
    assert fit_ratio.value == pytest.approx(8.0 / 2.0)
    assert fit_ratio.verdict == "holds"
    assert found["1,000 × 1, 2x50: predict, closed form", "quick"].value == pytest.approx(45.0)
    assert found["1,000 × 1, 2x50: predict, 50 draws", "plain_pytorch"].value == pytest.approx(0.5 / 0.3)


def test_a_ratio_below_what_was_asked_for_does_not_hold(folder: Path) -> None:
    middle = records.medians(records.read(folder / "records.csv"))
    middle.loc[middle["contender"] == "quick", "fit_seconds"] = 2.1
    assert next(one for one in speed_ratios(middle) if one.asked == 3.0).verdict == "does not hold"


def test_the_report_tells_what_was_extrapolated_what_failed_and_what_is_missing(folder: Path) -> None:
    written = report.write(folder)
    assert all(path.stat().st_size > 0 for path in written)
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert "| 1,000 × 1, 2x50 | slow | ~50 |" in page
    assert "| missing | not installed |" in page
    assert "no matching distribution found" in page
    assert "quick, swag, small, 2x50: it | broke" in page
    assert str(folder) not in page


def test_no_records_give_a_page_without_numbers(folder: Path) -> None:
    (folder / "records.csv").unlink()
    report.write(folder)
    assert "What failed" not in (folder / "README.md").read_text(encoding="utf-8")


def test_the_reason_is_the_last_line_that_is_no_notice() -> None:
    assert last_line("a\nERROR: no such version\nWARNING: old pip\n[notice] new pip\n\n") == "ERROR: no such version"
