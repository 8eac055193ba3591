"""`wdrop compare` on a real table, and its page in headless Chromium: clicked, not only loaded."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser, open_browser
from typer.testing import CliRunner

from wdrop.cli.app import app

QUICK = ("--epochs", "2", "--folds", "2", "--jobs", "1")
METHODS = (
    "pu,mc_dropout,pu_mc,concrete_dropout,w_dropout_last_layer,mc_dropout_last_layer,pu_evidential,w_dropout_closed,"
    "w_dropout"
)


def wdrop(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("data") / "houses.csv"
    lines = ["area,district,price"]
    for i, area in enumerate(rng.normal(size=60)):
        price = "" if i == 5 else f"{100 + 20 * area + rng.standard_normal():.3f}"
        lines.append(f"{area:.3f},{'north' if i % 3 else 'south'},{price}")
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def browser(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    out = tmp_path_factory.mktemp("report")
    ran = wdrop("compare", str(table), "-t", "price", "--methods", METHODS, "--no-baseline", "-o", str(out), *QUICK)
    assert ran.exit_code == 0, ran.output
    assert "Rows at random, calibrated" in ran.stdout
    assert f"The page with all figures: {out / 'report.html'}" in ran.stdout
    assert len((out / "scores.csv").read_text().splitlines()) == 1 + 9 * 2 * 2
    with open_browser(out / "report.html") as opened:
        yield opened


def column(browser: Browser, table: int, place: int, rows: str = "tr") -> list[str]:
    script = (
        "const table = document.querySelectorAll('table')[arguments[0]];"
        "return [...table.querySelectorAll(arguments[1])].map(cell => cell.innerText)"
    )
    return list(browser.driver.execute_script(script, table, f"tbody {rows} td:nth-child({place})"))


def test_the_page_recommends_or_says_that_it_cannot(browser: Browser) -> None:
    assert browser.texts("h1") == ["Which method for price?"]
    assert browser.texts(".lead p")[0].startswith(("Take ", "No clear winner: "))
    facts = dict(zip(column(browser, 3, 1), column(browser, 3, 2), strict=True))
    assert facts["left out"] == "1 rows without a target"
    assert facts["folds"] == "2 of ten"
    assert "scales are set by the training rows of each fold" in browser.find("section:last-of-type").text


def test_scores_are_sorted_by_a_click_and_filtered_by_words(browser: Browser) -> None:
    scores = [float(text) for text in column(browser, 0, 2)]
    assert scores == sorted(scores)  # best first
    browser.click("table th:nth-child(3) button")
    errors = [float(text) for text in column(browser, 0, 3)]
    assert errors == sorted(errors)
    browser.type("input.filter", "wasserstein last")
    assert column(browser, 0, 1, "tr:not([hidden])") == ["Wasserstein dropout, last layer"]
    browser.type("input.filter", "")


def test_a_dot_tells_its_method_and_a_name_hides_both_its_forms(browser: Browser) -> None:
    browser.hover("circle[data-group='concrete dropout']")
    [told] = browser.texts(".tip")
    assert "concrete dropout\nholds " in told
    browser.click(".legend button[data-group='concrete dropout']")
    shown = browser.driver.execute_script(
        "return [...document.querySelectorAll('circle')].filter(c => c.style.display !== 'none').length"
    )
    assert shown == 2 * 8
    assert browser.errors() == []


def test_json_is_for_programs(table: Path) -> None:
    ran = wdrop("compare", str(table), "-t", "price", "--methods", "pu", "--no-baseline", "--json", *QUICK)
    told = json.loads(ran.stdout)
    assert [(row["method"], row["variant"]) for row in told["scores"]] == [("pu", "raw"), ("pu", "calibrated")]
    assert told["recommendation"].startswith("Only ")
    assert told["page"] is None


def test_ctrl_c_prints_what_is_done(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wdrop.estimators import compare_job

    run = compare_job.run_job

    def interrupted(job: compare_job.CompareJob, progress: Any) -> None:
        if job.method == "mc_dropout":
            raise KeyboardInterrupt
        run(job, progress)

    monkeypatch.setattr("wdrop.estimators.compare.run_job", interrupted)
    ran = wdrop("compare", str(table), "-t", "price", "--methods", "pu,mc_dropout", "--no-baseline", *QUICK)
    assert ran.exit_code == 130
    assert "Only " in ran.stdout
    assert "Not reached: mc_dropout, iid" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-t", "prize"), "unknown column of .*'prize', did you mean 'price'"),
        (("-t", "district"), "expected numbers in column 'district'"),
        (("-t", "price", "--methods", "pue"), "unknown method 'pue', did you mean 'pu'"),
        (("-t", "price", "--methods", ""), "expected names with commas between after --methods, got ''"),
        (("-t", "price", "--steps", "10"), "expected epochs or steps, got 2 and 10; leave one of them out"),
        (("-t", "price", "--shift", "pcs"), "unknown split 'pcs', did you mean 'pca'"),
    ],
)
def test_wrong_use_is_told_before_anything_is_trained(table: Path, arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        CliRunner().invoke(app, ["compare", str(table), *arguments, *QUICK], catch_exceptions=False)


def test_a_report_that_is_there_is_not_written_over(table: Path, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("mine")
    with pytest.raises(FileExistsError, match="use --force to write over it"):
        CliRunner().invoke(
            app, ["compare", str(table), "-t", "price", "-o", str(tmp_path), *QUICK], catch_exceptions=False
        )
    assert (tmp_path / "report.html").read_text() == "mine"


def test_a_table_named_as_the_scores_is_not_written_over(table: Path, tmp_path: Path) -> None:
    data = tmp_path / "scores.csv"
    data.write_text(table.read_text())
    command = ["compare", str(data), "-t", "price", "-o", str(tmp_path), "--force", *QUICK]
    with pytest.raises(FileExistsError, match="is an input and would be written over"):
        CliRunner().invoke(app, command, catch_exceptions=False)
