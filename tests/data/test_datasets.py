from pathlib import Path

import pytest
import torch

from wdrop._random import generator_for
from wdrop.data.catalogue import CATALOGUE
from wdrop.data.datasets import DATASETS, known_dataset, load_points, n_rows
from wdrop.data.toy import TOYS, noisy_line
from wdrop.prediction import Points


def test_toys_and_tables_are_found_by_name() -> None:
    assert set(DATASETS) == {*TOYS, *CATALOGUE}
    points = load_points("noisy-line", {"n": 20, "std": 3.0}, generator=generator_for("data"))
    assert torch.equal(points.y, noisy_line(n=20, std=3.0, generator=generator_for("data")).y)
    assert load_points("diabetes", {}, generator=generator_for("data")).x.shape == (442, 10)


def test_rows_are_counted_also_of_tables_that_are_not_here() -> None:
    assert n_rows("year", {}) == 515345
    assert n_rows("toy-noise", {"n_x": 30}) == 300
    assert n_rows("toy-noise", {}) == 20000


def test_a_file_is_a_data_set(tmp_path: Path) -> None:
    path = tmp_path / "homes.csv"
    path.write_text("rooms,price\n1,2\n3,4\n")
    options = {"target": "price", "ignore": []}
    assert load_points(str(path), options, generator=generator_for("data")).y.tolist() == [[2], [4]]
    assert n_rows(str(path), options) == 2


def test_a_plugin_adds_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine(*, generator: torch.Generator, n: int = 5) -> Points:
        return Points(torch.zeros(n, 1), torch.zeros(n, 1))

    monkeypatch.setitem(DATASETS, "mine", mine)
    known_dataset("mine", {"n": 7})
    assert n_rows("mine", {"n": 7}) == 7
    assert n_rows("mine", {}) == 5


def test_wrong_names_and_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"unknown data set 'yatch', did you mean 'yacht'\?"):
        known_dataset("yatch", {})
    with pytest.raises(ValueError, match=r"unknown option of data set 'noisy-line': 'sdt', did you mean 'std'\?"):
        known_dataset("noisy-line", {"sdt": 1})
    with pytest.raises(ValueError, match="unknown option of data set 'yacht': 'n'; known: none"):
        known_dataset("yacht", {"n": 1})
    with pytest.raises(ValueError, match=r"a file that ends in \.csv, \.csv\.gz, \.parquet, got 'homes\.xlsx'"):
        known_dataset("homes.xlsx", {})
    with pytest.raises(ValueError, match=r"homes\.csv: expected the target column, e\.g\."):
        known_dataset("homes.csv", {})
    with pytest.raises(FileNotFoundError, match=r"no file .*homes\.csv"):
        known_dataset(str(tmp_path / "homes.csv"), {"target": "price"})
