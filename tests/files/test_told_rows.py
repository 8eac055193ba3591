import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from price_tables import fitted_file, table_text

from wdrop.files.evaluate_file import evaluate_file
from wdrop.files.growing import Growing
from wdrop.files.predict_file import predict_file


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(fitted_file(tmp_path_factory.mktemp("model"), calibrate="none", n_steps=20))


def test_a_column_grows_without_a_second_copy() -> None:
    column = Growing()
    for start in range(0, 10, 3):
        column.add(np.arange(start, min(10, start + 3), dtype=np.float64)[::-1])
    np.testing.assert_array_equal(column.all(), [2, 1, 0, 5, 4, 3, 8, 7, 6, 9])
    assert not column.all().flags.owndata


def test_pieces_and_gaps_are_judged_as_the_whole(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new.csv"
    lines = table_text(seed=1).splitlines()
    lines[5] = lines[5].rpartition(",")[0] + ","  # a row whose price nobody knows
    path.write_text("\n".join(lines))
    whole = evaluate_file(model, str(path))
    monkeypatch.setattr("wdrop.files.table_file._BLOCK", 1000)
    pieces = evaluate_file(model, str(path))
    assert (whole.rows, whole.calibration["price"].rows) == (200, 199)
    assert pieces.rows == 200
    assert pieces.scores["price"] == pytest.approx(whole.scores["price"], rel=1e-4)
    assert pieces.calibration["price"].coverage == whole.calibration["price"].coverage
    assert pieces.verdict[0] == whole.verdict[0]


def test_coverage_and_width_are_those_of_the_intervals_that_predict_writes(tmp_path: Path) -> None:
    model = str(fitted_file(tmp_path, calibrate="isotonic", n_steps=20))
    data, out = tmp_path / "new.csv", tmp_path / "out.csv"
    data.write_text(table_text(seed=1))
    predict_file(model, str(data), str(out))
    told = pd.read_csv(out)
    for level in (0.9, 0.5):
        scores = evaluate_file(model, str(data), level=level).scores["price"]
        assert scores["coverage"] == np.mean((told["price"] >= told["lower"]) & (told["price"] <= told["upper"]))
        assert scores["width"] == pytest.approx(np.mean(told["upper"] - told["lower"]))
        assert scores["width"] != pytest.approx(3.29 * np.mean(told["std"]), rel=0.01)


def test_of_each_row_three_numbers_are_kept(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """24 bytes, and some 90 that measures take for a moment; its five features would be 40 more."""
    monkeypatch.setattr("wdrop.files.table_file._BLOCK", 1 << 16)
    heading, *rows = table_text(seed=1).splitlines()
    peaks = []
    for n_copies in (150, 300):  # of 200 rows, so many that pieces are small beside them
        path = tmp_path / f"{n_copies}.csv"
        path.write_text("\n".join([heading, *(rows * n_copies)]))
        tracemalloc.start()
        try:
            assert evaluate_file(model, str(path)).rows == 200 * n_copies
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert (peaks[1] - peaks[0]) / 30_000 < 140
