import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from wdrop.data.catalogue import CATALOGUE
from wdrop.data.fingerprint import fingerprint
from wdrop.data.uci import load_uci


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any table: WDROP_DATA and the cache are empty folders."""
    monkeypatch.setenv("WDROP_DATA", str(tmp_path / "own"))
    monkeypatch.setattr("wdrop.data.places.user_cache_path", lambda name: tmp_path / "cache" / name)
    (tmp_path / "own" / "uci").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name != "year"])
def test_every_table_that_is_here_is_the_one_it_is_called(name: str) -> None:
    if not os.environ.get("WDROP_DATA"):
        pytest.skip("WDROP_DATA is not set: the paper's tables are not read")
    points = load_uci(name)  # compares the fingerprint
    facts = CATALOGUE[name]
    assert points.x.shape == (facts.rows, facts.features)
    assert points.y.shape == (facts.rows, 1)
    assert points.x.dtype == torch.float32


def diabetes() -> pd.DataFrame:
    points = load_uci("diabetes")
    names = [*(f"x{i}" for i in range(10)), "target"]
    return pd.DataFrame(np.hstack([points.x.numpy(), points.y.numpy()]), columns=names)


def test_diabetes_needs_no_file(empty: Path) -> None:
    points = load_uci("diabetes")
    assert fingerprint(points.x, points.y) == CATALOGUE["diabetes"].fingerprint
    assert float(points.y.mean()) == pytest.approx(152.1335, abs=1e-4)


@pytest.mark.parametrize("place", ["own/diabetes.csv", "own/uci/diabetes.csv.gz", "cache/wdrop/data/diabetes.parquet"])
def test_other_copies_of_a_table_are_recognised_wherever_they_lie(empty: Path, place: str) -> None:
    path = empty / place
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = diabetes().iloc[::-1]
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_csv(path, index=False)
    points = load_uci("diabetes")
    assert torch.equal(points.y[0], torch.tensor([57.0]))  # the last row of scikit-learn's: the file was read


def test_a_file_that_changed_is_read_anew_and_other_numbers_are_refused(empty: Path) -> None:
    path = empty / "own" / "diabetes.csv"
    frame = diabetes()
    frame.to_csv(path, index=False)
    load_uci("diabetes")
    frame.loc[3, "x2"] = 0.5
    frame.to_csv(path, index=False)
    os.utime(path, ns=(0, 1))  # a clock may be too coarse to tell the two apart
    with pytest.raises(ValueError, match="diabetes: right size, other numbers than the table's"):
        load_uci("diabetes")
    frame.assign(x3="text").to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"diabetes\.csv: expected numbers in all columns, got text in x3"):
        load_uci("diabetes")


def test_a_missing_table_says_which_file_goes_where(empty: Path) -> None:
    expected = r"'yacht' is not here: expected yacht\.csv\.gz in .*own or .*uci or .*data; .*wdrop data fetch yacht"
    with pytest.raises(FileNotFoundError, match=expected):
        load_uci("yacht")
    with pytest.raises(ValueError, match=r"unknown table 'yatch', did you mean 'yacht'\?"):
        load_uci("yatch")


def test_a_part_of_year_does_not_pass_for_it(empty: Path) -> None:
    part = pd.DataFrame(np.zeros((70, 91)))
    part.to_csv(empty / "own" / "uci" / "year-subset7000.csv.gz", index=False)
    with pytest.raises(FileNotFoundError, match=r"there is year-subset7000\.csv\.gz, which is a part of it"):
        load_uci("year")
    part.to_csv(empty / "own" / "year.csv", index=False)
    with pytest.raises(
        ValueError, match=r"expected 515345 rows of 90 .* got 70 rows of 90 features: a part of the table"
    ):
        load_uci("year")


def test_whoever_uses_boston_reads_its_note() -> None:
    assert "Ethical note" in CATALOGUE["boston"].note
    assert "reconstruction" in CATALOGUE["superconduct"].note
