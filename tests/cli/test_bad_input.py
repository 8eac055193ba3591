"""Whatever is wrong with a file: one line that says what to do, exit code 2, nothing written."""

import errno
import gzip
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from command import wdrop
from price_tables import fitted_file, table_text


class Case(NamedTuple):
    """What is in the file, further options, and part of what is said."""

    content: str | bytes
    options: list[str]
    message: str

    def write(self, path: Path) -> None:
        path.write_bytes(self.content if isinstance(self.content, bytes) else self.content.encode())


ROWS = table_text().splitlines()


def entry(row: int, place: int, value: str) -> str:
    """The table with one entry changed."""
    return changed([row], place, value)


def column(place: int, value: str) -> str:
    """The table with all entries of a column changed."""
    return changed(range(1, len(ROWS)), place, value)


def changed(rows: Iterable[int], place: int, value: str) -> str:
    parts = [line.split(",") for line in ROWS]  # a city has commas of its own: count from the nearer end
    for row in rows:
        parts[row][place] = value
    return "\n".join(",".join(line) for line in parts)


FIT: dict[str, Case] = {
    "missing target": Case(
        table_text(), ["-t", "prise"], "unknown column of data.csv: 'prise', did you mean 'price'?; known: id,"
    ),
    "unknown column to ignore": Case(table_text(), ["--ignore", "citty"], "'citty', did you mean 'city'?"),
    "target of words": Case(
        entry(3, -1, "dear"), [], "a target is a number: expected numbers in column 'price', got 'dear' in row 3"
    ),
    "column of gaps": Case(column(1, ""), [], "column 'size' has no values; leave it out: --ignore 'size'"),
    "constant target": Case(column(-1, "7"), [], "the target 'price' is 7 in all rows; there is nothing to learn"),
    "target of gaps": Case(column(-1, ""), [], "column 'price' has no values"),
    "three rows": Case("\n".join(ROWS[:4]), [], "expected at least 10 rows with a target, got 3"),
    "no rows": Case(ROWS[0] + "\n", [], "expected a heading and rows, got 0 rows"),
    "empty": Case("", [], "expected a heading and rows, got an empty file"),
    "no heading": Case(
        "\n".join(f"{i},{i * i}" for i in range(20)), [], "expected names of columns in the first row, got numbers"
    ),
    "names twice": Case(
        table_text().replace("rooms", "size", 1),
        [],
        "expected columns of different names, got several 'size'; rename them",
    ),
    "wrong separator": Case(table_text().replace(",", ";"), [], "they seem to be separated by ';': use --sep ';'"),
    "tabs": Case(table_text().replace(",", "\t"), [], "they seem to be separated by '\\t': use --sep '\\t'"),
    "ragged": Case(
        table_text() + "1,2,3\n", [], "cannot be read as a table of comma-separated values: CSV parse error: Expected 5"
    ),
    "latin-1": Case(
        table_text().replace("Ulm", "Köln").encode("latin-1"),
        [],
        "expected text in utf-8, got the byte 0xf6, which is not; say how it is written, such as --encoding",
    ),
    "latin-1 far down": Case(
        ("a,price\n" + "1.25,2\n" * 60000 + "ö,1\n").encode("latin-1"),
        [],
        "expected text in utf-8, got bytes that are not",
    ),
    "utf-16": Case(table_text().encode("utf-16"), [], "got what looks like UTF-16; use --encoding utf-16"),
    "no text": Case(b"\x00\x01\x02" * 100, [], "expected text, got bytes that are none"),
    "no text, and no zeros either": Case(
        bytes(range(1, 256)) * 9, [], "expected text, got bytes that are none; tables are read as csv"
    ),
    "one target twice": Case(
        table_text(), ["-t", "price", "-t", "price"], "expected each target once, got several 'price'"
    ),
    "target ignored": Case(
        table_text(), ["--ignore", "price"], "'price' is to be the target and to be ignored; expected"
    ),
    "word among numbers": Case(
        entry(5, 1, "big"), [], "data.csv: column 'size' holds numbers, but 'big' in row 5; mend"
    ),
    "infinite feature": Case(
        entry(5, 1, "inf"), [], "expected finite numbers in column 'size', got inf in row 5; mend it"
    ),
    "infinite target": Case(
        entry(5, -1, "-inf"), [], "expected finite numbers in column 'price', got -inf in row 5; mend it"
    ),
    "dates": Case(
        column(1, "2020-01-31"),
        [],
        "column 'size' holds date32[day]; expected numbers or words, turn it into such or ignore it",
    ),
    "only a target": Case(
        "price\n" + "\n".join(map(str, range(20))), [], "expected at least one feature beside the target, got none"
    ),
    "unknown method": Case(
        table_text(), ["--method", "w_dropuot"], "unknown method 'w_dropuot', did you mean 'w_dropout'?"
    ),
    "unknown calibration": Case(
        table_text(), ["--calibrate", "croos"], "unknown calibration 'croos', did you mean 'cross'?"
    ),
    "cut off": Case(gzip.compress(table_text().encode())[:-200], [], "Truncated compressed stream"),
    "unknown device": Case(table_text(), ["--device", "gpu"], "cannot train on the device 'gpu': "),
    "unknown encoding": Case(table_text(), ["--encoding", "latin-0"], "unknown encoding 'latin-0'"),
}


def refused(folder: Path, *arguments: object, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said; nothing is on stdout, and no file is new or changed."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    shown = wdrop(*arguments, capsys=capsys)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("wdrop: ")
    assert shown.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return shown.err


@pytest.mark.parametrize("name", FIT)
def test_fit_refuses(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = FIT[name]
    monkeypatch.chdir(tmp_path)
    case.write(Path("data.csv"))
    target = [] if "-t" in case.options else ["-t", "price"]
    assert case.message in refused(tmp_path, "fit", "data.csv", "-o", "model", *target, *case.options, capsys=capsys)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted_file(tmp_path_factory.mktemp("model"), n_steps=5)


PREDICT: dict[str, Case] = {
    "column missing": Case(
        table_text().replace("rooms", "roms", 1),
        [],
        "data.csv: the column 'rooms', which the model needs, is missing, did you mean 'roms'?; it has: id, size,",
    ),
    "infinite": Case(entry(5, 1, "inf"), [], "expected finite numbers in column 'size', got inf in row 5; mend it"),
    "words for numbers": Case(entry(5, 1, "big"), [], "expected numbers in column 'size', got 'big' in row 5"),
    "wrong separator": Case(table_text().replace(",", ";"), [], "use --sep ';'"),
    "names twice": Case(table_text().replace("id", "size", 1), [], "got several 'size'"),
    "latin-1": Case(table_text().replace("Ulm", "Köln").encode("latin-1"), [], "such as --encoding latin-1"),
    "no rows": Case(ROWS[0] + "\n", [], "expected a heading and rows, got 0 rows"),
    "cut off": Case(gzip.compress(table_text().encode())[:-200], [], "Truncated compressed stream"),
    "name taken": Case(
        table_text().replace("id", "mean", 1), [], "already has a column 'mean', which predicting adds; rename it"
    ),
    "level": Case(table_text(), ["--level", "90"], "expected a level between 0 and 1, got 90.0"),
}


@pytest.mark.parametrize("name", PREDICT)
def test_predict_refuses(
    name: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = PREDICT[name]
    monkeypatch.chdir(tmp_path)
    case.write(Path("data.csv"))
    assert case.message in refused(
        tmp_path, "predict", model, "data.csv", "-o", "out.csv", *case.options, capsys=capsys
    )
    if name != "name taken":
        assert case.message in refused(tmp_path, "evaluate", model, "data.csv", *case.options, capsys=capsys)


def test_places_that_are_no_files(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out, there = (tmp_path / name for name in ("data.csv", "out.csv", "there.csv"))
    data.write_text(table_text())
    there.write_text("another's")
    for command in (["fit", tmp_path, "-t", "price", "-o", out], ["predict", model, tmp_path, "-o", out]):
        assert "is a folder; expected a file that ends in" in refused(tmp_path, *command, capsys=capsys)
    for command in (["fit", tmp_path / "no.csv", "-t", "price"], ["predict", model, tmp_path / "no.csv"]):
        assert "wdrop: no file " in refused(tmp_path, *command, capsys=capsys)
    for command in (["fit", data, "-t", "price"], ["predict", model, data]):
        assert "is a folder; expected the name of a file" in refused(tmp_path, *command, "-o", tmp_path, capsys=capsys)
        assert "no folder" in refused(tmp_path, *command, "-o", tmp_path / "no" / "out.csv", capsys=capsys)
        assert "is already there; use --force" in refused(tmp_path, *command, "-o", there, capsys=capsys)


def test_an_input_and_another_result_are_not_written_over_by_force(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "data.csv", tmp_path / "out"
    data.write_text(table_text())
    before = model.read_bytes()
    for command in (
        ["fit", data, "-t", "price", "-o", data],
        ["fit", data, "-t", "price", "-o", out, "--report", data],
        ["predict", model, data, "-o", data],
        ["predict", model, data, "-o", model],
        ["evaluate", model, data, "--report", data],
        ["evaluate", model, data, "--report", model],
    ):
        assert "is an input and would be written over" in refused(tmp_path, *command, "--force", capsys=capsys)
    assert model.read_bytes() == before
    said = refused(tmp_path, "fit", data, "-t", "price", "-o", out, "--report", out, "--force", capsys=capsys)
    assert f"two results would be written to {out}" in said
    assert "only tables can be written to stdout" in refused(
        tmp_path, "fit", data, "-t", "price", "-o", "-", capsys=capsys
    )


def test_a_table_is_not_written_under_a_name_of_another_kind(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data.csv"
    data.write_text(table_text())
    said = refused(tmp_path, "predict", model, data, "-o", tmp_path / "out.xlsx", capsys=capsys)
    assert "out.xlsx: expected a name that ends in .csv, .csv.gz or .parquet" in said


def test_errors_of_the_disk_are_told_in_words(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    data, out = tmp_path / "data.csv", tmp_path / "out.csv"
    data.write_text(table_text())
    monkeypatch.setattr("wdrop.files.output_file._CsvWriter.write", full)
    said = refused(tmp_path, "predict", model, data, "-o", out, capsys=capsys)
    assert said == (
        f"wdrop: {out} cannot be written: No space left on device; make room or get the rights, or name another place\n"
    )
    monkeypatch.setattr("wdrop.files.predict_file.open_forecaster", full)
    said = refused(tmp_path, "predict", model, data, "-o", out, capsys=capsys)
    assert said.startswith("wdrop: a file cannot be read or written: No space left on device; make room")


def test_files_that_are_no_models(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, cut = tmp_path / "data.csv", tmp_path / "cut"
    data.write_text(table_text())
    cut.write_bytes(model.read_bytes()[:-10])
    other = tmp_path / "other"
    other.write_bytes(model.read_bytes().replace(b"Ulm", b"Rom"))
    for command in ("predict", "evaluate"):
        assert "is no model file" in refused(tmp_path, command, data, data, capsys=capsys)
        assert "cut off" in refused(tmp_path, command, cut, data, capsys=capsys)
        assert "was changed after it was written" in refused(tmp_path, command, other, data, capsys=capsys)
        assert "wdrop: no model file " in refused(tmp_path, command, tmp_path / "none", data, capsys=capsys)
        assert "is a folder; expected a model file" in refused(tmp_path, command, tmp_path, data, capsys=capsys)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write everything")
def test_no_permission(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data.csv"
    data.write_text(table_text())
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert "Permission denied; name another" in refused(
        tmp_path, "predict", model, data, "-o", locked / "out.csv", capsys=capsys
    )
    hidden = tmp_path.parent / f"{tmp_path.name} hidden.csv"
    hidden.write_text(table_text())
    hidden.chmod(0)
    assert "cannot be read: no permission" in refused(tmp_path, "fit", hidden, "-t", "price", capsys=capsys)
