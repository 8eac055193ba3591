"""A study of detectors, from the plan to the page, on drawn scenes."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wdrop.detect.files.detector_file import load_detector
from wdrop.report.figures import png
from wdrop.study.adopt import recorded
from wdrop.study.cost import tally
from wdrop.study.detection.run import DETECTOR_FILE, execute_detector
from wdrop.study.detection.task import DetectorTask
from wdrop.study.plan import Run, Study, load_study, parse_study
from wdrop.study.remeasure import remeasure
from wdrop.study.reports.detection import detection_report
from wdrop.study.reports.write import write_report
from wdrop.study.store import Store
from wdrop.study.work import jobs_for, run_and_store

GROUP: dict[str, Any] = {
    "kind": "detection",
    "dataset": "rendered",
    "dataset_options": {"n_pictures": 3, "size": [96, 64]},
    "method": ["mc", {"name": "wasserstein", "variant": "L=3", "training": {"loss": {"n_draws": 3}}}],
    "width": 96,
    "height": 64,
    "n_looked": 2,
    "n_repeats": 3,
    "corruptions": ["gaussian-noise"],
    "inference": {"n_draws": 5, "smallest": 2, "top_n": 12},
    "training": {"n_steps": 4, "batch_size": 2, "checkpoint_every": 2, "optimisation": {"algorithm": "adam"}},
}
PLAN = {"title": "Small", "groups": {"main": GROUP}}
SCORES = ("n_matched", "recall", "rmse", "nll", "ece", "ws", "std", "nll_scaled")
pytestmark = pytest.mark.filterwarnings("ignore:no pretrained backbone")


@pytest.fixture(autouse=True)
def _no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture
def study() -> Study:
    return parse_study("small", PLAN)


def table(rows: Any) -> pd.DataFrame:
    keys = ["part", "step", "tested_on", "corruption", "protocol", "coordinate"]
    return pd.DataFrame(rows).set_index(keys)[list(SCORES)]


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?[0-9]+[.][0-9]+(?:e[+-][0-9]+)?", text)]


def test_the_mini_study_is_planned_as_it_is_told() -> None:
    runs = load_study("mini").runs
    assert [(run.dataset, run.method_name, run.seed) for run in runs[:4]] == [
        ("kitti-mini", "mc", 0), ("kitti-mini", "wasserstein", 0), ("kitti-mini", "closed_form", 0),
        ("kitti-mini", "mc", 1),
    ]  # fmt: skip
    assert list(dict.fromkeys(run.group for run in runs)) == ["main", "domains", "draws"]
    tasks = [run.method for run in runs if run.group in ("main", "draws")]
    assert {task.training.n_steps for task in tasks if isinstance(task, DetectorTask)} == {1500}  # equal for all
    last = runs[-1].method
    assert isinstance(last, DetectorTask)
    assert (last.training.loss.n_draws, runs[-1].variant) == (10, "L=10")
    assert load_study("mini").results == "detection"
    assert len({run.key for run in runs}) == len(runs) == 18


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset": "kitti-mnii"}, r"unknown detection data set 'kitti-mnii', did you mean 'kitti-mini'\?"),
        ({"method": "mcc"}, r"unknown loss 'mcc', did you mean 'mc'\?"),
        ({"split": "iid"}, r"unknown key of groups.main 'split'"),
        (
            {"training": {"n_stesp": 3}},
            r"groups.main.method 'mc'.training: unknown key 'n_stesp', did you mean 'n_steps'",
        ),
        ({"dataset": 3}, r"groups.main.dataset: expected a string, or a list of such, got 3"),
        ({"seed": "a"}, r"groups.main.seed: expected a whole number, or a list of such, got 'a'"),
        ({"method": {"variant": "a"}}, r"groups.main.method: expected a table with a 'name', got {'variant': 'a'}"),
        ({"width": 97}, r"groups.main.method 'mc': expected an input size divisible by 16, got 97 x 64; try 96 x 64"),
        ({"dataset_options": {"n_picture": 4}}, r"unknown option of rendered 'n_picture', did you mean 'n_pictures'\?"),
        (
            {"dataset": "a2d2", "dataset_options": {"boxs": "label3D"}},
            r"unknown option of a2d2 'boxs', did you mean 'boxes'\?; known: folder, crop, bad, verify, keep_empty, b",
        ),
        (
            {"dataset": "kitti-mini", "dataset_options": {"n": 4}},
            r"unknown option of kitti-mini 'n'; known: folder, crop",
        ),
        ({"corruptions": ["fog"]}, r"unknown corruption 'fog'"),
        ({"inference": {"as_published": True}}, r"expected as_published in training.loss, got it in inference alone"),
        ({"kind": "detecton"}, r"unknown kind of groups.main 'detecton', did you mean 'detection'\?"),
    ],
)
def test_wrong_plans_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_study("small", {"groups": {"main": {**GROUP, **change}}})


def test_a_detector_that_learns_as_published_is_judged_so_in_a_study() -> None:
    published = {**GROUP, "training": {"loss": {"as_published": True}}}
    for settings, expected in ((GROUP, False), (published, True)):
        task = parse_study("small", {"groups": {"main": settings}}).runs[0].method
        assert isinstance(task, DetectorTask)
        assert task.judging(how="closed_form").as_published is expected


def test_a_part_is_not_taken_for_the_whole(study: Study, tmp_path: Path) -> None:
    from detect.native_trees import build

    build("kitti", tmp_path / "detection" / "kitti", 3, 2, ())
    run = parse_study("small", {"groups": {"main": {**GROUP, "dataset": "kitti-mini", "dataset_options": {}}}}).runs[0]
    outcome = execute_detector(run, lambda done, total: None)
    assert "expected the data set kitti-mini, got kitti-part in its place" in outcome.rows[0]["error"]


def test_the_detector_of_a_study_knows_that_its_pictures_were_cropped_and_their_licence(tmp_path: Path) -> None:
    from detect.native_trees import build

    build("virtual_kitti", tmp_path / "detection" / "virtual_kitti", 4, 2)
    own = {"dataset": "virtual_kitti", "dataset_options": {}, "method": "closed_form", "corruptions": []}
    run = parse_study("small", {"groups": {"main": {**GROUP, **own}}}).runs[0]
    outcome = execute_detector(run, lambda done, total: None, tmp_path / "run")
    assert outcome.rows[0]["status"] == "done", outcome.rows[0]
    facts = load_detector(tmp_path / "run" / DETECTOR_FILE)[1]
    assert facts["crop"] is True
    assert facts["licence_of_data"] == "CC BY-NC-SA 3.0"
    assert facts["run"] == run.config()


def test_from_plan_to_page(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    coarse = png  # figures have tests of their own; here it is enough that they come
    monkeypatch.setattr("wdrop.study.reports.write.png", lambda figure, dpi=0: coarse(figure, 20))
    monkeypatch.setattr("wdrop.study.reports.write.svg", lambda figure: b"")
    store = Store(tmp_path / "store")
    jobs = jobs_for(study.runs, store)
    assert [len(job.runs) for job in jobs] == [1, 1]
    told: list[tuple[int, int]] = []
    for job in jobs:
        assert run_and_store(job, lambda done, total: told.append((done, total))).errors == ()
    assert told[-1][0] == told[-1][1]
    rows = pd.DataFrame(store.rows(study.runs))
    assert set(rows["backbone"]) == {"random"}
    judged = rows[rows["part"] != "along"]
    assert set(judged.groupby(["tested_on", "part", "corruption", "protocol"]).groups) == {
        ("rendered", "test", "clean", "samples-kmeans"), ("rendered", "test", "clean", "samples-hdbscan"),
        ("rendered", "test", "clean", "closed_form"), ("rendered", "test", "gaussian-noise 1", "samples-kmeans"),
        ("rendered", "test", "gaussian-noise 1", "closed_form"), ("rendered", "train", "clean", "samples-kmeans"),
        ("rendered", "train", "clean", "closed_form"),
    }  # fmt: skip
    assert len(judged) == 2 * 7 * 5
    assert sorted(set(rows[rows["part"] == "along"]["step"])) == [2, 4]
    places = [store.folder / "training" / run.key for run in study.runs]
    assert all(sorted(path.name for path in place.iterdir()) == [DETECTOR_FILE, "trajectory.json"] for place in places)

    before = table(store.own_rows(study.runs[0]))
    assert remeasure(study, store) == []
    pd.testing.assert_frame_equal(table(store.own_rows(study.runs[0])), before)

    page = write_report(study, store, tmp_path / "out")
    assert "<p>On rendered W L=3&#39;s ECE is " in page.read_text()
    assert "<p>Our default form of the recipe ran. Unlike the published code: standard" in page.read_text()
    assert re.search("HDBSCAN in place of k-means</h2>\n<p>.*</p>\n<details><summary>4 tables", page.read_text())
    assert "Detectors trained on rendered (seed 0), on 2 of rendered&#39;s test pictures" in page.read_text()
    assert "with HDBSCAN (with k-means): MC 0." in page.read_text()
    tables = {path.stem for path in (tmp_path / "out" / "tables").glob("*.md")}
    assert {"in_data_rendered_samples-kmeans", "in_data_rendered_closed_form"} <= tables
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"ratios.png", "trajectories_rendered.png", "corruptions.jpg", "examples_closed_form.jpg"} <= figures
    assert "corruptions.svg" not in figures  # photographs are large enough as they are

    found = recorded(study, Store(tmp_path / "fresh"), tmp_path / "out" / "records.csv")
    assert (len(found.rows), found.n_cut) == (2, 0)
    fresh = found.beside(Store(tmp_path / "fresh"))
    again = detection_report(study, fresh)  # from the records alone, which have six digits, and without pictures
    made = {name: made.markdown() for part in again.parts for name, made in part.tables.items()}
    assert set(made) == tables
    for name in tables:
        assert numbers(made[name]) == pytest.approx(
            numbers((tmp_path / "out" / "tables" / f"{name}.md").read_text()), rel=1e-2, abs=2e-3
        )
    assert tally(study, fresh).done == 2


_KILLED = """
import os, signal, sys, warnings
from pathlib import Path
import torch
from wdrop.study.detection.run import execute_detector
from test_run import PLAN
from wdrop.study.plan import parse_study

torch.set_num_threads(1)
warnings.simplefilter("ignore")
def progress(done, total):
    if done == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
print(execute_detector(parse_study("small", PLAN).runs[0], progress, Path(sys.argv[1])).rows[0]["error"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_run_killed_in_training_and_in_judging_ends_as_if_nothing_had_happened(study: Study, tmp_path: Path) -> None:
    run = study.runs[0]
    places = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])])
    for at in (3, 9):  # four steps, then three pictures a judgement
        command = [sys.executable, "-c", _KILLED, str(tmp_path / "run"), str(at)]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True, timeout=240
        )
        assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    told: list[int] = []
    resumed = execute_detector(run, lambda done, total: told.append(done), tmp_path / "run")
    assert told[0] == 8  # training and the first judgement are not repeated
    whole = execute_detector(run, lambda done, total: None)
    pd.testing.assert_frame_equal(table(resumed.rows), table(whole.rows))
    assert resumed.rows[0]["seconds"] > 0
    for name, values in whole.arrays.items():
        np.testing.assert_array_equal(resumed.arrays[name], values)


def test_a_missing_backbone_is_told(study: Study) -> None:
    run: Run = parse_study("small", {"groups": {"main": {**GROUP, "backbone": "mine.npz"}}}).runs[0]
    [row] = execute_detector(run, lambda done, total: None).rows
    assert "no backbone mine.npz: expected it in $WDROP_DATA/weights" in row["error"]
