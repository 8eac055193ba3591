"""A user's table out of a file: whole, or in pieces where it may be longer than the memory."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from os import R_OK, access
from pathlib import Path
from typing import Any, final

import pyarrow as pa
import pyarrow.csv as pc

from wdrop.files.csv_source import STDIN, CsvSource, Dialect, open_csv_source, wrong_encoding
from wdrop.files.text_columns import MISSING

__all__ = ["STDIN", "Dialect", "TableStream", "open_table", "read_table"]

SUFFIXES = (".csv", ".csv.gz", ".parquet")
_BLOCK = 2 << 20  # bytes of text in a piece: some ten thousand rows
_ROWS = 1 << 16  # of parquet in a piece


@final
@dataclass(frozen=True, eq=False)
class TableStream:
    """A table in pieces.

    names    of the columns, without spaces around them
    batches  the pieces, each a pyarrow table; of a csv file all columns are text, as it is written
    read     how much of the file is read, between 0 and 1; 0 where nobody knows
    close    to be called in the end, however it ends
    """

    names: list[str]
    batches: Iterator[Any]
    read: Callable[[], float]
    close: Callable[[], None]


def read_table(path: str, dialect: Dialect | None = None) -> Any:
    """The whole table, a pyarrow one; columns of csv have the types that their entries tell."""
    dialect = dialect or Dialect()
    if _is_parquet(path):
        file = _parquet_file(path)
        _distinct(path, file.schema_arrow.names)
        return _some(path, file.read())
    source = open_csv_source(path, dialect)
    options = pc.ConvertOptions(strings_can_be_null=True, null_values=MISSING)
    with closing(source):
        names = _distinct(path, source.names)
        try:
            table = pc.read_csv(source.stream, *_options(dialect), convert_options=options).rename_columns(names)
        except (pa.ArrowInvalid, OSError, UnicodeDecodeError) as error:
            raise _unreadable(path, dialect, error) from None
    for name in names:
        if pa.types.is_binary(table.schema.field(name).type):
            raise ValueError(wrong_encoding(path, dialect.encoding))
    return _some(path, table)


def open_table(path: str, dialect: Dialect | None = None) -> TableStream:
    """The table in pieces of some ten thousand rows."""
    dialect = dialect or Dialect()
    if _is_parquet(path):
        return _parquet_stream(path)
    source = open_csv_source(path, dialect)
    try:
        names = _distinct(path, source.names)
    except ValueError:
        source.close()
        raise

    def read() -> float:
        return source.file.tell() / source.size if source.size else 0.0

    return TableStream(names, _csv_batches(path, source, names, dialect), read, source.close)


def _csv_batches(path: str, source: CsvSource, names: list[str], dialect: Dialect) -> Iterator[Any]:
    options = pc.ConvertOptions(column_types=dict.fromkeys(source.names, pa.string()))
    try:
        for batch in pc.open_csv(source.stream, *_options(dialect), convert_options=options):
            yield pa.Table.from_batches([batch]).rename_columns(names)
    except (pa.ArrowInvalid, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, dialect, error) from None


def _options(dialect: Dialect) -> tuple[Any, Any]:
    read = pc.ReadOptions(block_size=_BLOCK, encoding=dialect.encoding)
    # A value may hold line breaks: quoted text often does, and looking for them costs next to nothing.
    return read, pc.ParseOptions(delimiter=dialect.separator, newlines_in_values=True)


def _parquet_stream(path: str) -> TableStream:
    file = _parquet_file(path)
    names = _distinct(path, file.schema_arrow.names)
    total, done = max(1, file.metadata.num_rows), [0]

    def batches() -> Iterator[Any]:
        for batch in file.iter_batches(_ROWS):
            done[0] += batch.num_rows
            yield pa.Table.from_batches([batch]).rename_columns(names)

    return TableStream(names, batches(), lambda: done[0] / total, file.close)


def _parquet_file(path: str) -> Any:
    from pyarrow.parquet import ParquetFile  # csv files do without

    try:
        return ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise ValueError(f"{path}: cannot be read as parquet: {_first_line(error)}") from None


def _is_parquet(path: str) -> bool:
    """Whether that file is parquet; refuses what is no file, cannot be read, or has another ending."""
    if path == STDIN:
        return False
    place = Path(path)
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected a file that ends in {', '.join(SUFFIXES)}")
    if not place.is_file() and not place.is_fifo():
        raise FileNotFoundError(f"no file {path}; a path is taken from the folder where the command is run")
    if not access(place, R_OK):
        raise PermissionError(f"{path} cannot be read: no permission; change its rights or copy it")
    return place.suffix.lower() == ".parquet"


def _distinct(path: str, written: list[str]) -> list[str]:
    """The names of the columns without spaces around them, if each is there once."""
    names = [name.strip() for name in written]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(
            f"{path}: expected columns of different names, got several {', '.join(map(repr, doubled))}; rename them"
        )
    return names


def _some(path: str, table: Any) -> Any:
    if table.num_rows == 0 or table.num_columns == 0:
        raise ValueError(f"{path}: expected a heading and rows, got {table.num_rows} rows")
    return table


def _unreadable(path: str, dialect: Dialect, error: Exception) -> ValueError:
    if isinstance(error, UnicodeDecodeError) or "UTF8" in str(error):
        return ValueError(wrong_encoding(path, dialect.encoding))
    return ValueError(f"{path}: cannot be read as a table of comma-separated values: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
