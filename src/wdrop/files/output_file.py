"""Where results may be written, and tables that are written in pieces."""

import csv
import gzip
import io
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wdrop._files import written_whole
from wdrop._outputs import check_folder, check_results
from wdrop.files.arrow_values import string
from wdrop.files.csv_source import STDIN

STDOUT = "-"
_ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".parquet")


def check_outputs(outputs: Sequence[str | None], inputs: Sequence[str], *, force: bool) -> None:
    """Refuse places where nothing can be written, or where something is; before any work is done.

    None is an output that nobody wants.
    """
    places = [Path(path) for path in outputs if path is not None]
    for place in places:
        if str(place) == STDOUT:
            raise ValueError("only tables can be written to stdout; expected the name of a file to write")
        if not place.parent.is_dir():
            raise FileNotFoundError(f"no folder {place.parent} to write {place.name} to; make it first")
    check_results(places, [Path(path) for path in inputs if path != STDIN], force=force)
    for place in places:
        check_folder(place.parent)


def check_ending(path: str) -> None:
    """Refuse the name of a table that says something else than what would be written."""
    if path == STDOUT or not Path(path).suffix or path.lower().endswith(_ENDINGS):
        return
    raise ValueError(f"{path}: expected a name that ends in .csv, .csv.gz or .parquet; other kinds are not written")


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Tell what goes wrong with the disk by the name of the file, instead of by a number."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # told in words already
            raise
        raise type(error)(
            f"{path} cannot be written: {error.strerror}; make room or get the rights, or name another place"
        ) from None


@contextmanager
def table_writer(path: str, separator: str = ",") -> Iterator["TableWriter"]:
    """A table to be written in pieces: csv, csv.gz or parquet by the ending, csv to stdout for "-"."""
    if path == STDOUT:
        yield _CsvWriter(sys.stdout.buffer, separator)
        sys.stdout.buffer.flush()
        return
    with writing(path), written_whole(path) as beside:
        if path.lower().endswith(".parquet"):
            parquet = _ParquetWriter(beside)
            try:
                yield parquet
            finally:
                parquet.close()
            return
        with gzip.open(beside, "wb", 6) if path.lower().endswith(".gz") else beside.open("wb") as file:
            yield _CsvWriter(file, separator)  # type: ignore[arg-type]


class TableWriter(ABC):
    """Takes pieces of a table, all with the same columns."""

    @abstractmethod
    def write(self, columns: dict[str, Any], clean: Sequence[str] = ()) -> None:
        """Write these columns, pyarrow arrays; the text of `clean` ones needs no quotes, as a caller may know."""


@final
class _CsvWriter(TableWriter):
    def __init__(self, file: BinaryIO, separator: str) -> None:
        self._file, self._separator = file, separator
        self._is_new = True

    def write(self, columns: dict[str, Any], clean: Sequence[str] = ()) -> None:
        if self._is_new:
            heading = io.StringIO()
            csv.writer(heading, delimiter=self._separator, lineterminator="\n").writerow(columns)
            self._file.write(heading.getvalue().encode())
            self._is_new = False
        texts = [
            text if name in clean else _quoted(text, self._separator)
            for name, text in ((name, _text(name, array)) for name, array in columns.items())
        ]
        self._file.write(_lines(texts, self._separator))


def _text(name: str, array: Any) -> Any:
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    try:
        return array if pa.types.is_string(array.type) else pc.cast(array, pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise ValueError(f"column {name!r} holds {array.type}, which csv has no form for; write parquet") from None


def _quoted(text: Any, separator: str) -> Any:
    special = pc.match_substring_regex(text, f'["\\r\\n\\x{ord(separator):02x}]')
    if not pc.any(special).as_py():
        return text
    quote = string('"')
    doubled = pc.replace_substring(text, '"', '""')
    return pc.if_else(special, pc.binary_join_element_wise(quote, doubled, quote, string("")), text)


def _lines(texts: Sequence[Any], separator: str) -> memoryview:
    """The rows as bytes: joined by arrow into one array of lines, whose memory is what the file holds."""
    comma, nothing, line_break = (string(text) for text in (separator, "", "\n"))
    rows = pc.binary_join_element_wise(*texts, comma, null_handling="replace", null_replacement="")
    lines = pc.binary_join_element_wise(rows, nothing, line_break)
    _, offsets, data = lines.buffers()
    ends = np.frombuffer(offsets, np.int32)
    return memoryview(data)[ends[lines.offset] : ends[lines.offset + len(lines)]]


@final
class _ParquetWriter(TableWriter):
    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def write(self, columns: dict[str, Any], clean: Sequence[str] = ()) -> None:
        from pyarrow.parquet import ParquetWriter  # csv files do without

        table = pa.table(columns)
        if self._writer is None:
            self._writer = ParquetWriter(self._path, table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
