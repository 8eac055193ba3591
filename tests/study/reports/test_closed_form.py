"""The report of one-pass moments, of a plan that takes seconds, on data that need no file."""

from pathlib import Path
from typing import Any

import pytest

from wdrop.study.plan import Study, load_study, parse_study
from wdrop.study.reports.write import write_report
from wdrop.study.store import Store
from wdrop.study.work import Done, jobs_for, run_and_store

WAYS = ["10000 draws", "200 draws", "closed_form", "linearised", "diagonal"]
HALF_DRAWN = {"name": "w_dropout_closed", "variant": "half drawn", "drawn_share": 0.5}
METHODS = ["w_dropout_last_layer", "w_dropout_closed", HALF_DRAWN, {"name": "w_dropout", "variant": "L=5"}]
SHORT: dict[str, Any] = {
    "dataset": "diabetes", "folds": [0, 5, 9], "net": {"width": 6}, "training": {"epochs": 3}, "ways": WAYS,
    "method": METHODS,
}  # fmt: skip
PLAN: dict[str, Any] = {
    "title": "One pass, tiny",
    "groups": {
        "small": SHORT,
        "small_shift": {**SHORT, "split": ["label", "pca"]},
        "p=0.3": {**SHORT, "net": {"width": 6, "dropout": 0.3}},
        "toys depth=1": {**SHORT, "dataset": "toy-hf", "net": {"width": 6, "depth": 1}, "folds": [0]},
    },
}


@pytest.fixture(scope="module")
def study() -> Study:
    return parse_study("closed_form", PLAN)


@pytest.fixture(scope="module")
def store(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("closed_form"))
    for job in jobs_for(study.runs, store):
        assert run_and_store(job, lambda *a: None) == Done()
    return store


def test_tables_figures_and_page_are_written(study: Study, store: Store, tmp_path: Path) -> None:
    page = write_report(study, store, tmp_path).read_text()
    assert "20 of 20 planned runs are done" in page
    assert "Not compared, since not run: yacht, energy, kin8nm, wine-red." in page
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"gaps", "growth"}
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == {
        "gaps", "gaps_by_dataset", "gaps_depth", "gaps_p", "ranks", "runs", "scores_by_dataset", "scores_extra",
        "scores_iid", "scores_inter", "shift",
    }  # fmt: skip
    assert "last layer): the std told is the spread of its sub-networks" in page


def test_a_report_of_a_few_records_says_what_was_not_run(study: Study, store: Store, tmp_path: Path) -> None:
    few = study.only({"group": ["small"], "method": ["w_dropout_last_layer"]})
    page = write_report(Study("closed_form", "few", few.runs), store, tmp_path).read_text()
    assert "Not enough was run to rank the trainings." in page
    assert "(closed form): not run on tables." in page
    assert "Beyond the data, last layer: not run." in page


def test_the_plan_asks_every_network_by_draws_and_by_formula() -> None:
    plan = load_study("closed_form")
    assert all({"10000 draws", "closed_form", "linearised", "diagonal"} <= set(run.ways) for run in plan.runs)
    tables = {"yacht", "boston", "energy", "concrete", "wine-red", "kin8nm", "power", "abalone"}
    assert tables | {"toy-noise", "toy-hf"} == {run.dataset for run in plan.runs}
    assert {"iid", "label", "pca"} == {run.split for run in plan.runs}
