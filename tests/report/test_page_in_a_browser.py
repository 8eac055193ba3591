"""The page in headless Chromium: clicked, not only loaded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, open_browser

from wdrop.report.page import Section, page
from wdrop.report.scatter import Axis, Dot, Scatter
from wdrop.report.tables import Cell, Table

NAMES = ["yacht", "boston", "energy", "concrete", "wine-red", "kin8nm", "power", "naval", "protein"]
VALUES = [10.0, 2.0, -1.0, 2.5, float("nan"), 0.2, 30.0, 0.1, 1.0]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    rows: list[list[str | Cell]] = [[name, Cell(value)] for name, value in zip(NAMES, VALUES, strict=True)]
    dots = [Dot(0.5, 0.5, "MC", "#7048a8", "MC on yacht, fold 3"), Dot(0.2, 0.7, "PU", "#5c940d", "PU on naval")]
    scatter = Scatter("Runs", Axis("WS", 0, 1), Axis("ECE", 0, 1), dots)
    sections = [
        Section(
            "Scores",
            tables=[Table("Scores", ["data set", "NLL"], rows, footer=[["perfect", Cell(-9.0)]])],
            scatters=[scatter],
        )
    ]
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page("Title", "Verdict.", sections, "x"), encoding="utf-8")
    with open_browser(Path(path)) as opened:
        yield opened


def test_a_click_on_a_heading_sorts_by_number_and_a_second_one_turns_it_round(browser: Browser) -> None:
    browser.click("th:nth-child(2) button")
    assert browser.texts("tbody td:first-child")[:3] == ["energy", "naval", "kin8nm"]
    browser.click("th:nth-child(2) button")
    assert browser.texts("tbody td:first-child")[:3] == ["power", "yacht", "concrete"]
    assert browser.texts("tbody td:first-child")[-1] == "wine-red"  # no number: last, either way
    browser.click("th:nth-child(1) button")
    assert browser.texts("tbody td:first-child") == sorted(NAMES)


def test_the_filter_leaves_the_rows_that_hold_its_words(browser: Browser) -> None:
    browser.type("input.filter", "on 2")
    assert sorted(browser.texts("tbody tr:not([hidden]) td:first-child")) == ["boston", "concrete"]
    assert browser.texts(".count") == ["2 of 9 rows"]
    browser.type("input.filter", "")
    assert len(browser.texts("tbody tr:not([hidden])")) == 9


def test_a_dot_tells_its_run_and_a_name_hides_its_dots(browser: Browser) -> None:
    browser.hover("circle[data-group=MC]")
    assert browser.texts(".tip") == ["MC on yacht, fold 3"]
    browser.click(".legend button[data-group=MC]")
    assert not browser.is_shown("circle[data-group=MC]")
    assert browser.is_shown("circle[data-group=PU]")


def test_nothing_went_wrong_on_the_way(browser: Browser) -> None:
    assert browser.errors() == []
