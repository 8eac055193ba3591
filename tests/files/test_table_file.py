from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from wdrop.files.output_file import TableWriter, table_writer
from wdrop.files.table_file import Dialect, open_table, read_table
from wdrop.files.text_columns import column_of, numbers, words


def test_text_goes_through_a_file_unchanged(tmp_path: Path) -> None:
    text = 'a,"b, c",d\n1.50,"x ""y"", z",NA\n,"two\nlines",\n007,plain,"q"\n'
    (tmp_path / "in.csv").write_text(text)
    stream = open_table(str(tmp_path / "in.csv"))
    with table_writer(str(tmp_path / "out.csv")) as writer:
        for piece in stream.batches:
            writer.write({name: piece.column(name) for name in piece.column_names})
    stream.close()
    assert (tmp_path / "out.csv").read_text() == text.replace('"q"', "q")
    assert read_table(str(tmp_path / "out.csv")).to_pydict() == read_table(str(tmp_path / "in.csv")).to_pydict()


def write_half(writer: TableWriter) -> None:
    writer.write({"a": pa.array([1.0])})
    raise ValueError("got none named b")


def test_a_file_that_could_not_be_written_whole_is_not_there(tmp_path: Path) -> None:
    for name in ("out.csv", "out.csv.gz", "out.parquet"):
        with pytest.raises(ValueError, match="got none named"), table_writer(str(tmp_path / name)) as writer:
            write_half(writer)
    assert list(tmp_path.iterdir()) == []


def test_arrow_has_types_that_csv_has_not(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match=r"column 'a' holds list.*which csv has no form for; write parquet"),
        table_writer(str(tmp_path / "out.csv")) as writer,
    ):
        writer.write({"a": pa.array([[1]])})


def test_a_heading_may_have_a_mark_and_spaces(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("\ufeffa; b\n1;2\n".encode())
    assert read_table(str(tmp_path / "in.csv"), Dialect(";")).to_pydict() == {"a": [1], "b": [2]}


@pytest.mark.parametrize(
    ("entries", "values"),
    [
        (["1", "2.5", "-3e2"], [1, 2.5, -300]),
        ([" 1", "", "NA"], [1, np.nan, np.nan]),
        (["True", "false", "NaN"], [1, 0, np.nan]),
        ([None, "7", "inf"], [np.nan, 7, np.inf]),
    ],
)
def test_strings_that_tell_numbers(entries: list[str], values: list[float]) -> None:
    for array in (
        pa.array(entries),
        pa.chunked_array([entries[:1], entries[1:]], pa.string()),
        pa.array(entries).dictionary_encode(),
    ):
        np.testing.assert_array_equal(numbers("a", array), values)
    np.testing.assert_array_equal(column_of("a", pa.array(entries)).values, values)


def test_other_types_that_tell_numbers() -> None:
    for array in (
        pa.array([1, None, 0]),
        pa.array([True, None, False]),
        pa.array([1, None, 0]).cast(pa.decimal128(21, 2)),
    ):
        np.testing.assert_array_equal(numbers("a", array), [1, np.nan, 0])
    np.testing.assert_array_equal(numbers("a", pa.nulls(2)), [np.nan, np.nan])
    with pytest.raises(ValueError, match=r"column 'a' holds list<item: int64>; expected numbers"):
        numbers("a", pa.array([[1]]))


def test_words_and_the_first_that_is_no_number() -> None:
    column = column_of("a", pa.array(["1", "NA", "x", None]))
    assert column.values.tolist() == ["1", None, "x", None] == words(pa.array(["1", "NA", "x", None])).tolist()
    with pytest.raises(ValueError, match="expected numbers in column 'a', got 'x' in row 103"):
        numbers("a", pa.array(["1", "NA", "x", "y"]), first_row=100)
