"""The page in headless Chromium: clicked, not only loaded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, open_browser
from matplotlib.figure import Figure

from wdrop.report.figures import png
from wdrop.report.page import Picture, Section, page
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


def test_paper_gets_every_column_and_a_telephone_a_figure_to_scroll(tmp_path: Path) -> None:
    wide: list[list[str | Cell]] = [["Wasserstein dropout", *(Cell(1e7 + i) for i in range(18))]]
    picture = Picture(png(Figure(figsize=(12, 2)), dpi=110), "A wide one.")
    table = Table("T", ["method", *(f"measure {i}" for i in range(18))], wide)
    section = Section("S", tables=[table], pictures=[picture])
    path = tmp_path / "page.html"
    path.write_text(page("Title", "Lead.", [section], "x"), encoding="utf-8")
    with open_browser(path) as browser:
        see(browser, 1032, media="print")
        assert width(browser, "table") <= width(browser, ".scroll")
        see(browser, 420, media="screen")
        assert width(browser, "figure img") >= 700
        assert browser.driver.execute_script("return document.documentElement.scrollWidth") <= 420


def see(browser: Browser, wide: int, media: str) -> None:
    size = {"width": wide, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})


def width(browser: Browser, selector: str) -> float:
    script = "return document.querySelector(arguments[0]).getBoundingClientRect().width"
    return float(browser.driver.execute_script(script, selector))


def test_nothing_went_wrong_on_the_way(browser: Browser) -> None:
    assert browser.errors() == []
