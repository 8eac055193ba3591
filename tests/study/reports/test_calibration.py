"""The calibration study's plan, and its report of a plan that takes seconds."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from wdrop.data.datasets import n_rows
from wdrop.methods import CrossFitted
from wdrop.report.calibrations.rows import CHOOSE, CONFIRM, CUTS, TABLES
from wdrop.study.plan import load_study, parse_study
from wdrop.study.reports.calibration import calibration_report
from wdrop.study.reports.write import write_report
from wdrop.study.store import Store
from wdrop.study.ways import CALIBRATED
from wdrop.study.work import Done, jobs_for, run_and_store

SHORT: dict[str, Any] = {
    "net": {"width": 6}, "training": {"epochs": 2}, "folds": [0, 5], "dataset": "diabetes",
    "ways": ["raw", "scale", "ensemble raw", "ensemble scale"],
}  # fmt: skip
MINE = {"name": "w_dropout_last_layer", "calibrate": {"n_folds": 2}}
OTHER = {"name": "pu", "calibrate": {"n_folds": 2}}
CUT = {"name": "w_dropout_last_layer", "variant": "cut along PCA", "calibrate": {"n_folds": 2, "cut": "pca"}}
PLAN: dict[str, Any] = {
    "title": "Calibration, tiny",
    "groups": {
        "choose": {**SHORT, "method": [MINE, OTHER]},
        # no other table needs no file: the same one confirms, which a real plan never does
        "confirm": {**SHORT, "method": [MINE, OTHER], "seed": 1},
        "choose_shift": {**SHORT, "split": ["label", "pca"], "method": [MINE, OTHER]},
        "choose_cut": {**SHORT, "method": CUT},
    },
}


def test_the_halves_are_fixed_in_the_plan_and_share_no_table() -> None:
    runs = load_study("calibration").runs
    assert {run.group for run in runs} == {*CHOOSE, *CONFIRM, *CUTS}
    by_group = {group: {run.dataset for run in runs if run.group == group} for group in (*CHOOSE, *CONFIRM, *CUTS)}
    assert not by_group["choose"] & by_group["confirm"]
    assert by_group["choose"] | by_group["confirm"] == set(TABLES)
    assert {"yacht", "boston", "diabetes", "energy"} <= by_group["choose"]  # the maps were made while looking at them
    assert by_group["choose_shift"] | by_group["choose_cut"] <= by_group["choose"]
    assert by_group["confirm_shift"] | by_group["confirm_cut"] <= by_group["confirm"]
    without = {"quantile_scale", "ensemble quantile_scale"}  # whose mean and std are those of conformal
    assert all(set(run.ways) == set(CALIBRATED) - without for run in runs)


def test_an_inner_fold_is_trained_for_about_as_many_steps_as_it_has_rows() -> None:
    for run in load_study("calibration").runs:
        assert isinstance(run.method, CrossFitted)
        batch = run.method.method.training.batch_size  # type: ignore[attr-defined]
        whole = n_rows(run.dataset, {}) * 9 // 10
        assert 0.7 < (whole * 4 // 5 // batch) / (whole // batch) < 0.9, run.title


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    found = Store(tmp_path_factory.mktemp("calibration") / "store")
    for job in jobs_for(parse_study("calibration", PLAN).runs, found):
        assert run_and_store(job, lambda *a: None) == Done()
    return found


@pytest.fixture(scope="module")
def written(store: Store) -> Path:
    return write_report(parse_study("calibration", PLAN), store, store.folder.parent / "out").parent


def test_raw_and_calibrated_stand_in_tables_of_their_own(written: Path) -> None:
    tables = {path.stem for path in (written / "tables").iterdir()}
    assert {
        "aims", "ways_w_family", "confirmed_w_family", "ways_all_methods", "confirmed_all_methods", "factors", "cuts",
        *(f"{what}_{place}{suffix}" for what in ("raw", "calibrated", "ensemble") for place in ("iid", "shift")
          for suffix in ("", "_per_table")),
    } == tables  # fmt: skip
    assert {path.name for path in (written / "figures").iterdir()} == {"arrows.png", "arrows.svg"}
    raw, calibrated = (pd.read_csv(written / "tables" / f"{name}_iid.csv") for name in ("raw", "calibrated"))
    assert list(raw["method"]) == list(calibrated["method"]) == ["W-LL (ours)", "PU", "perfect forecaster"]
    assert (raw["RMSE"][:2] == calibrated["RMSE"][:2]).all()  # the same networks
    assert (raw["ECE"] != calibrated["ECE"])[:2].all()


def test_the_page_tells_the_choice_and_the_aims_first(written: Path) -> None:
    page = (written / "report.html").read_text()
    assert "<p>W-LL (ours), raw → calibrated: WS " in page
    assert "mean over 1 of 11 tables, random folds" in page
    assert "was chosen. On tables that had no say in the choice, against raw: NLL " in page
    assert "9 of 9 planned runs are done" in page


@pytest.mark.parametrize("group", ["choose", "confirm", "choose_shift"])
def test_it_works_on_what_is_there(group: str, store: Store, tmp_path: Path) -> None:
    planned = parse_study("calibration", PLAN)
    some = Store(tmp_path)
    kept = [run for run in planned.runs if run.group == group and run.method_name == "pu"]
    for run in kept:
        (some.folder / run.key).symlink_to(store.folder / run.key)
    told = calibration_report(planned, some)
    assert f"{len(kept)} of 9 planned runs are done" in told.parts[-1].text[0]
    assert (told.lead == "Not enough was run yet for a choice.") == (group != "choose")
    names = {name for part in told.parts for name in part.tables}
    assert ("raw_shift" if group == "choose_shift" else "raw_iid") in names
    assert ("calibrated_shift" if group == "choose_shift" else "calibrated_iid") in names
