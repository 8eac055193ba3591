"""The pages that `wdrop fit` and `wdrop evaluate` write, from real models of a small file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wdrop.files import model_reports
from wdrop.files.evaluate_file import evaluate_file
from wdrop.files.fit_file import fit_file
from wdrop.report.model.forecasts import Forecasts

RNG = np.random.default_rng(0)
AREA = RNG.normal(size=60)
PRICE = 100 + 20 * AREA + RNG.standard_normal(60)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "houses.csv"
    lines = [f"{area!r},{'north' if i % 3 else 'south'},{price!r}" for i, (area, price) in enumerate(_pairs())]
    path.write_text("\n".join(["area,district,price", *lines, lines[0]]))  # the first row stands twice
    return path


def _pairs() -> list[tuple[float, float]]:
    return list(zip(AREA.tolist(), PRICE.tolist(), strict=True))


def fit(table: Path, report: Path | None, **settings: Any) -> str:
    model = str(table.with_name("model.wdrop"))
    fit_file(str(table), "price", model, report=None if report is None else str(report), epochs=2, **settings)
    return model


def test_rows_are_numbered_as_in_the_file_whatever_order_training_had(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Forecasts] = []

    def remember(path: object, forecasts: Sequence[Forecasts], **rest: object) -> None:
        shown.extend(forecasts)

    monkeypatch.setattr(model_reports, "write_fit_report", remember)
    fit(table, tmp_path / "fit.html", method="pu")
    [forecasts] = shown
    assert list(forecasts.rows) == list(range(1, 61))  # row 61 is row 1 once more
    np.testing.assert_array_equal(forecasts.y, PRICE)
    np.testing.assert_array_equal(forecasts.x[:, 0], AREA)
    assert list(forecasts.features) == ["area", "district = north", "district = south"]


def test_the_pages_of_a_model_tell_how_it_was_judged(table: Path, tmp_path: Path) -> None:
    model = fit(table, tmp_path / "fit.html", method="pu")
    html = (tmp_path / "fit.html").read_text()
    assert "Each row was judged by networks that had not seen it; the same rows set the calibration" in html
    assert "Can std be believed?" in html
    found = evaluate_file(model, str(table), report=str(tmp_path / "new.html"))
    html = (tmp_path / "new.html").read_text()
    for sentence in found.verdict:
        assert sentence[1:].replace("'", "&#39;") in html
    assert "Are these rows like the training rows?" in html
    with pytest.raises(FileExistsError, match="use --force"):
        evaluate_file(model, str(table), report=str(tmp_path / "new.html"))


def test_without_rows_held_out_the_page_does_not_judge(table: Path, tmp_path: Path) -> None:
    fit(table, tmp_path / "fit.html", method="pu", calibrate="none")
    html = (tmp_path / "fit.html").read_text()
    assert "Whether std can be believed is not known, as no row was held out" in html
    assert "Can std be believed?" not in html


def test_of_a_part_held_out_the_page_shows_what_is_known(table: Path, tmp_path: Path) -> None:
    fit(table, tmp_path / "fit.html", method="pu", calibrate="split")
    html = (tmp_path / "fit.html").read_text()
    assert "Can std be believed?" in html
    assert "Scores on 12 rows" in html
