from pathlib import Path

import pandas as pd
import pytest

from wdrop.data.files import headings, read_frame

TABLE = pd.DataFrame({"a": [0.1, 1 / 3, -7.0], "price": [1.0, 2.0, 3.0]})


@pytest.fixture(params=["t.csv", "t.csv.gz", "t.parquet"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    TABLE.to_parquet(path) if path.suffix == ".parquet" else TABLE.to_csv(path, index=False)
    return path


def test_a_table_comes_back_to_the_last_digit(path: Path) -> None:
    assert read_frame(path).equals(TABLE)
    assert headings(path) == ["a", "price"]


def test_a_damaged_file_is_named(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if path.suffix != ".csv" else b"")
    with pytest.raises(ValueError, match=rf"{path.name}: cannot be read as "):
        read_frame(path)
    if path.suffix != ".gz":  # half of a gz file still shows its heading
        with pytest.raises(ValueError, match=rf"{path.name}: cannot be read as "):
            headings(path)


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"ends in \.csv, \.csv\.gz, \.parquet, got 't\.xlsx'"):
        read_frame(tmp_path / "t.xlsx")
    with pytest.raises(FileNotFoundError, match=r"no file .*t\.csv"):
        read_frame(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("a,b\n")
    with pytest.raises(ValueError, match="expected a heading and rows, got 0 rows, 2 columns"):
        read_frame(tmp_path / "t.csv")
