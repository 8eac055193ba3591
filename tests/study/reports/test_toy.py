import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from wdrop.study.plan import parse_study
from wdrop.study.reports.toy import compare, published_value
from wdrop.study.reports.write import write_report
from wdrop.study.store import Store
from wdrop.study.work import Done, jobs_for, run_and_store

SHORT: dict[str, Any] = {"net": {"width": 6}, "training": {"epochs": 1}, "folds": [0, 3]}
MINE = {"name": "w_dropout", "n_draws": 3}
PLAN: dict[str, Any] = {
    "title": "Toy data, tiny",
    "groups": {
        "table": {**SHORT, "dataset": "toy-hf", "method": [MINE, "pu", "pu_evidential"]},
        "panels": {**SHORT, "dataset": "toy-hf", "split": "iid-80/20", "curve": True, "method": [MINE, "mc_dropout"]},
        "line": {**SHORT, "dataset": "noisy-line", "dataset_options": [{"std": 0.0}, {"std": 1.0}], "split": "all",
                 "scale_y": False, "method": MINE},
        "draws": {**SHORT, "dataset": "noisy-line", "split": "all", "method": {**MINE, "variant": "3"}},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy report of a plan that takes seconds."""
    folder = tmp_path_factory.mktemp("toy")
    study, store = parse_study("toy", PLAN), Store(folder / "store")
    store.folder.mkdir()
    for job in jobs_for(study.runs, store):
        assert run_and_store(job, lambda *a: None) == Done()
    write_report(study, store, folder / "out")
    return folder / "out"


def test_records_tables_figures_and_page_are_written(written: Path) -> None:
    assert sorted(path.name for path in written.iterdir()) == ["figures", "records.csv", "report.html", "tables"]
    figures = {path.name for path in (written / "figures").iterdir()}
    names = ("figure1", "panels_toy-hf", "noisy_line", "scale_of_L", "ece_ws")
    assert figures == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    assert "| toy-hf | parametric (PU) |" in (written / "tables" / "toy_iid.md").read_text()
    records = pd.read_csv(written / "records.csv")
    assert set(records["status"]) == {"done"}
    assert {"rmse", "nll", "ece", "ws", "etl", "seconds", "n_floored", "std_mean"} <= set(records.columns)


def test_the_page_tells_the_commands_that_made_it(written: Path) -> None:
    html = (written / "report.html").read_text()
    assert "wdrop study run toy &amp;&amp; wdrop study report toy" in html
    assert html.count("data:image/png;base64,") == 5
    assert "http" not in html.replace("http://www.w3.org", "")


def test_the_page_counts_folds_and_all_splits_apart_and_leads_to_the_records(written: Path) -> None:
    html = (written / "report.html").read_text()
    assert re.search(r"difference: \d+ of 12 on folds of a tenth, \d+ of 12 with the single splits counted too", html)
    assert '<a href="records.csv">all records as csv</a>' in html
    assert '<a href="tables/toy_iid.csv">csv</a>' in html
    assert '<a href="figures/scale_of_L.svg"><img' in html


def test_the_report_is_a_function_of_the_store(written: Path, tmp_path: Path) -> None:
    write_report(parse_study("toy", PLAN), Store(written.parent / "store"), tmp_path / "again")
    for name in ("records.csv", "report.html", "figures/scale_of_L.svg", "tables/differences.md"):
        assert (tmp_path / "again" / name).read_bytes() == (written / name).read_bytes(), name


def rows_of(values: list[float]) -> pd.DataFrame:
    row = {"group": "table", "split": "iid", "dataset": "toy-noise", "method": "pu", "rmse": 1.006, "ece": 0.062}
    return pd.DataFrame([{**row, "nll": value, "ws": 0.5} for value in values])


def test_differences_are_judged_by_their_standard_error() -> None:
    found = {d.measure: d for d in compare(rows_of([-0.374, -0.374, -0.374]), "iid")}
    assert found["nll"].agrees
    assert found["rmse"].agrees
    assert not found["ws"].agrees  # 0.5 against 0.028
    assert compare(rows_of([0.2, -0.374, 0.4]), "iid")[1].allowed > 0.5  # noisy: three standard errors
    assert not {d.measure: d for d in compare(rows_of([-0.2, -0.21, -0.2]), "iid")}["nll"].agrees


def test_the_evidential_likelihood_loses_its_two_constants() -> None:
    assert published_value("toy-noise", "pu_evidential", "nll") == pytest.approx(1.555 - 1.917, abs=1e-3)
    assert published_value("toy-noise", "pu_evidential", "ws") == 0.064
