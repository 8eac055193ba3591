"""The pages of fit and evaluate in headless Chromium: clicked, not only loaded."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import Browser, open_browser

from wdrop.data.shift import TrainingRows, shift_of
from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.pages import write_evaluation_report, write_fit_report

FEATURES = ["area", "age", "district"]


def forecasts(n: int = 150, target: str = "price", shift: float = 0.0, known: bool = True) -> Forecasts:
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.normal(size=n) + shift, rng.uniform(0, 10, n), rng.integers(0, 3, n)])
    std = 0.5 + 0.3 * x[:, 1]
    y = 20 + 3 * x[:, 0] + std * rng.standard_normal(n)
    return Forecasts.of(20 + 3 * x[:, 0], 0.6 * std, x, FEATURES, target=target, y=y if known else None)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    path = tmp_path_factory.mktemp("fit") / "fit.html"
    write_fit_report(path, forecasts(), facts={"method": "w_dropout", "rows": 150})
    with open_browser(path) as opened:
        yield opened


def rows_of(browser: Browser, title: str, selector: str) -> list[str]:
    """Texts in the table under that caption."""
    number = browser.texts("caption").index(title)
    script = (
        "const table = document.querySelectorAll('table')[arguments[0]];"
        "return [...table.querySelectorAll(arguments[1])].map(cell => cell.innerText)"
    )
    return list(browser.driver.execute_script(script, number, selector))


def test_the_verdict_stands_at_the_top(browser: Browser) -> None:
    assert browser.texts(".lead p")[0].startswith("Std is ")
    assert "refit with calibrate=cross" in browser.texts(".lead p")[0]
    assert browser.texts("h2") == [
        "Can std be believed?", "Scores", "Row by row", "Surprises", "How large is std, and where?",
        "How it was trained",
    ]  # fmt: skip


def test_the_worst_rows_are_sorted_by_a_click_and_filtered_by_words(browser: Browser) -> None:
    title = "The 20 rows that surprised the model most"
    off = [abs(float(text)) for text in rows_of(browser, title, "tbody td:nth-child(5)")]
    assert off == sorted(off, reverse=True)
    number = browser.texts("caption").index(title)
    browser.driver.execute_script(
        "document.querySelectorAll('table')[arguments[0]].querySelectorAll('th button')[1].id = 'by-price'", number
    )
    browser.click("#by-price")
    prices = [float(text) for text in rows_of(browser, title, "tbody td:nth-child(2)")]
    assert prices == sorted(prices)
    assert len(prices) == 20
    wanted = rows_of(browser, title, "tbody td:nth-child(2)")[0]
    browser.driver.execute_script(
        "document.querySelectorAll('table')[arguments[0]].closest('section').querySelector('input').id = 'words'",
        number,
    )
    browser.type("#words", wanted)
    assert rows_of(browser, title, "tbody tr:not([hidden]) td:nth-child(2)") == [wanted]
    browser.type("#words", "")


def test_a_dot_tells_its_row_and_groups_can_be_hidden(browser: Browser) -> None:
    browser.hover("circle[data-group='more than 3 std off']")
    [told] = browser.texts(".tip")
    assert told.startswith("row ")
    assert told.endswith("std off")
    browser.click(".legend button[data-group='within 1 std']")
    assert not browser.is_shown("circle[data-group='within 1 std']")
    assert browser.is_shown("circle[data-group='1 to 3 std off']")


def test_all_pictures_are_seen_and_nothing_went_wrong(browser: Browser) -> None:
    widths = browser.driver.execute_script("return [...document.images].map(image => image.naturalWidth)")
    assert len(widths) == 3
    assert min(widths) > 800
    assert browser.errors() == []


def test_new_rows_without_a_truth_are_told_by_shift_and_std(tmp_path: Path) -> None:
    before, after = forecasts(), forecasts(shift=2.0, known=False)
    shift = shift_of(TrainingRows.of(before.x, FEATURES), [after.x])
    html = write_evaluation_report(tmp_path / "page.html", after, shift=shift, training_std=before.std / 2).read_text()
    lead = "The truth is not known for these rows. Rows differ from those of training, most in &#39;area&#39; ("
    assert f'<div class="lead">\n<p>{lead}' in html
    assert "the model noticed: std is 2.00 times that of training." in html
    assert "Can std be believed?" not in html
    assert "Are these rows like the training rows?" in html


def test_each_target_has_sections_of_its_own_and_gaps_are_left_out(tmp_path: Path) -> None:
    one, other = forecasts(), forecasts(target="rent")
    assert other.y is not None
    other.y[:50] = np.nan
    html = write_evaluation_report(tmp_path / "page.html", [one, other], said="As said elsewhere.").read_text()
    assert '<div class="lead">\n<p>As said elsewhere.</p>' in html
    for expected in ("price: Can std be believed?", "rent: Can std be believed?", "Scores on 150 rows"):
        assert expected in html
    assert "Scores on 100 rows" in html
