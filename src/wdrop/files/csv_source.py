"""A file of comma-separated values, opened; what is wrong with it is told before its rows are read."""

import codecs
import csv
import io
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, final

import pyarrow as pa

STDIN = "-"
_HEAD = 1 << 18  # bytes that are looked at before reading
_GZIP = b"\x1f\x8b"
_LEAST_IN_TEXT = 9  # a tab; whatever the encoding, text of single bytes has none below
_SEPARATORS = ",;\t|"


@final
@dataclass(frozen=True)
class Dialect:
    """How a file of comma-separated values is written."""

    separator: str = ","
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        if len(self.separator) != 1:
            raise ValueError(f"expected a separator of one character, got {self.separator!r}")
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            raise ValueError(f"unknown encoding {self.encoding!r}; try utf-8, latin-1 or utf-16") from None


@final
@dataclass(frozen=True, eq=False)
class CsvSource:
    """The names in the heading as they are written, and the file's bytes from its beginning, unpacked."""

    names: list[str]
    stream: Any
    file: Any
    size: int
    """Bytes of the file, 0 where nobody knows; `file.tell()` says how many are read."""

    def close(self) -> None:
        self.file.close()


def open_csv_source(path: str, dialect: Dialect) -> CsvSource:
    """The file, or stdin for "-", with its heading; packed with gzip or not, whatever its name."""
    goes_back = path != STDIN and Path(path).is_file()  # a pipe does not
    if goes_back:
        with open(path, "rb") as begin:
            head = begin.read(_HEAD)
        # arrow's own, as its threads then need no Python
        file, size = pa.OSFile(path), os.path.getsize(path)
    else:
        raw = sys.stdin.buffer if path == STDIN else open(path, "rb")  # noqa: SIM115
        head = raw.read(_HEAD)
        file, size = pa.PythonFile(_Rejoined(head, raw), mode="r"), 0
    packed = head.startswith(_GZIP)
    try:
        names = _heading(path, _unpacked(path, head) if packed else head, dialect)
    except ValueError:
        file.close()
        raise
    return CsvSource(names, pa.CompressedInputStream(file, "gzip") if packed else file, file, size)


def _unpacked(path: str, head: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(head, _HEAD)
    except zlib.error as error:
        raise ValueError(f"{path}: cannot be unpacked: {error}; is it damaged?") from None


@final
class _Rejoined(io.RawIOBase):
    """A stream whose head was already taken, whole again: stdin cannot go back."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if self._rest is not sys.stdin.buffer:
            self._rest.close()
        super().close()

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._rest.read(size)
        part, self._head = (self._head, b"") if size < 0 else (self._head[:size], self._head[size:])
        return part + self._rest.read() if size < 0 else part


def _heading(path: str, head: bytes, dialect: Dialect) -> list[str]:
    """The names of the columns, if this looks like a table at all."""
    text = _text(path, head, dialect.encoding)
    if not text.strip():
        raise ValueError(f"{path}: expected a heading and rows, got an empty file")
    names = next(csv.reader(io.StringIO(text), delimiter=dialect.separator))
    if len(names) == 1:
        other = max(_SEPARATORS, key=names[0].count)
        if other != dialect.separator and other in names[0]:
            raise ValueError(
                f"{path}: expected columns separated by {dialect.separator!r}, got one column {_short(names[0])}; "
                f"they seem to be separated by {other!r}: use --sep '{_typed(other)}'"
            )
    if all(_is_number(name) for name in names):
        raise ValueError(f"{path}: expected names of columns in the first row, got numbers; put a heading above them")
    return names


def _text(path: str, head: bytes, encoding: str) -> str:
    if encoding.lower().replace("-", "") in ("utf8", "ascii") and head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{path}: expected text in {encoding}, got what looks like UTF-16; use --encoding utf-16")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError as error:
        if min(head) < _LEAST_IN_TEXT:
            raise ValueError(_no_text(path)) from None
        raise ValueError(wrong_encoding(path, encoding, head[error.start])) from None
    if "\0" in text:
        raise ValueError(_no_text(path))
    return text.removeprefix("\ufeff")


def _no_text(path: str) -> str:
    return f"{path}: expected text, got bytes that are none; tables are read as csv, csv.gz or parquet"


def wrong_encoding(path: str, encoding: str, byte: int | None = None) -> str:
    """What is said of a file that is written otherwise."""
    came = "bytes that are not" if byte is None else f"the byte {byte:#04x}, which is not"
    return f"{path}: expected text in {encoding}, got {came}; say how it is written, such as --encoding latin-1"


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _typed(separator: str) -> str:
    return "\\t" if separator == "\t" else separator


def _short(text: str, most: int = 40) -> str:
    return repr(text if len(text) <= most else text[:most] + "...")
