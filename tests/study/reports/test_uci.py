"""The benchmark's report of a plan that takes seconds, on the one table that needs no file."""

from pathlib import Path
from typing import Any

import pytest
from browser import open_browser

from wdrop.study.plan import parse_study
from wdrop.study.reports.write import write_report
from wdrop.study.store import Store
from wdrop.study.work import Done, jobs_for, run_and_store

SHORT: dict[str, Any] = {"net": {"width": 6}, "training": {"epochs": 2}, "folds": [0, 4, 9], "dataset": "diabetes"}
BOTH = ["w_dropout", "mc_dropout"]
AS_PUBLISHED = {"name": "mc_dropout", "as_published": True, "variant": "as published"}
PLAN: dict[str, Any] = {
    "title": "Tables, tiny",
    "groups": {
        "small": {**SHORT, "method": [*BOTH, "pu"]},
        "published": {**SHORT, "method": AS_PUBLISHED},
        "small_shift": {**SHORT, "split": ["label", "pca"], "method": BOTH},
        "way_out": {**SHORT, "split": ["label-80/20", "pca-80/20"], "method": BOTH},
        "scatter": {**SHORT, "split": "iid-80/20", "method": BOTH},
        "rate": {**SHORT, "method": {"name": "w_dropout", "variant": "0.3", "net": {"dropout": 0.3}}},
        "lambda_mc": {**SHORT, "method": {"name": "mc_dropout", "variant": "0", "training": {"weight_decay": 0.0}}},
    },
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uci")
    study, store = parse_study("uci", PLAN), Store(folder / "store")
    for job in jobs_for(study.runs, store):
        assert run_and_store(job, lambda *a: None) == Done()
    write_report(study, store, folder / "out")
    return folder / "out"


def test_tables_figures_claims_and_page_are_written(written: Path) -> None:
    assert {path.name for path in written.iterdir()} == {"figures", "records.csv", "report.html", "tables"}
    figures = {path.stem for path in (written / "figures").iterdir()}
    expected = {"panels_rmse_ece", "panels_nll_ws", "dependencies", "way_out", "residuals", "rate", "lambda"}
    assert expected <= figures
    tables = {path.name for path in (written / "tables").iterdir()}
    assert {"per_dataset.md", "per_dataset.tex", "per_dataset.csv", "etl.md", "ood.md", "claims.md"} <= tables
    assert "diabetes" in (written / "tables" / "numbers.md").read_text()
    assert "not run" in (written / "tables" / "claims.md").read_text()  # what was not run is said


def test_the_page_says_what_was_run_and_what_was_not(written: Path) -> None:
    page = (written / "report.html").read_text()
    assert "16 of 16 planned runs are done" in page
    assert "<p>Random folds, mean over 1 data set of 3 methods: W-dropout is" in page
    assert "Its numbers that were run: " in page
    assert 'href="records.csv"' in page


def test_the_page_sorts_filters_and_tells_its_dots(written: Path) -> None:
    with open_browser(written / "report.html") as browser:
        part = next(part for part in browser.all("section") if "one by one" in part.text.splitlines()[0])
        part.find_element("css selector", "input.filter").send_keys("agrees")
        rows = part.find_element("css selector", "table").find_elements("css selector", "tbody tr")
        shown = [row for row in rows if row.is_displayed()]
        assert 0 < len(shown) < len(rows)
        assert all("agrees" in row.text for row in shown)
        browser.hover("circle")
        [tip] = browser.texts(".tip")
        assert "on diabetes" in tip
        assert browser.errors() == []


def test_the_contents_lead_to_their_parts(written: Path) -> None:
    with open_browser(written / "report.html") as browser:
        assert browser.texts("nav a") == browser.texts("h2")
        browser.click("nav a:last-child")
        assert -5 < browser.find("section:last-of-type").location["y"] - browser.scrolled() < 1400  # it is in view
