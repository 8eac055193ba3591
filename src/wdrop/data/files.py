"""A user's file → a table of pandas; what cannot be read is told in one line."""

import gzip
import hashlib
from pathlib import Path
from zlib import error as ZlibError

import pandas as pd

SUFFIXES = (".csv", ".csv.gz", ".parquet")


def is_table_file(name: str) -> bool:
    """Whether that is the name of a file that `read_frame` reads."""
    return name.lower().endswith(SUFFIXES)


def read_frame(path: Path) -> pd.DataFrame:
    """The whole table, a column per heading."""
    _check(path)
    try:
        frame = pd.read_parquet(path) if path.suffix.lower() == ".parquet" else pd.read_csv(path)
    except (ValueError, EOFError, ZlibError, gzip.BadGzipFile) as error:  # pandas' and arrow's errors are ValueErrors
        raise ValueError(f"{path}: cannot be read as {_kind(path)}: {_first_line(error)}") from None
    if frame.empty:
        raise ValueError(f"{path}: expected a heading and rows, got {len(frame)} rows, {frame.shape[1]} columns")
    return frame


def headings(path: Path) -> list[str]:
    """The names of the columns, without reading the rest."""
    _check(path)
    try:
        if path.suffix.lower() == ".parquet":
            from pyarrow.parquet import read_schema

            return [str(name) for name in read_schema(path).names]
        return [str(name) for name in pd.read_csv(path, nrows=0).columns]
    except (ValueError, EOFError, ZlibError, gzip.BadGzipFile) as error:
        raise ValueError(f"{path}: cannot be read as {_kind(path)}: {_first_line(error)}") from None


def table_sha256(name: str) -> str:
    """What tells this table from another one in a file of the same name."""
    path = Path(name)
    _check(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check(path: Path) -> None:
    if not is_table_file(path.name):
        raise ValueError(f"expected a file that ends in {', '.join(SUFFIXES)}, got {path.name!r}")
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}; a path is taken from the folder where the command is run")


def _kind(path: Path) -> str:
    return "parquet" if path.suffix.lower() == ".parquet" else "a table of comma-separated values"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
