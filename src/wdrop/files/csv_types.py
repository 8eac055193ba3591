"""Types for the columns of a csv file, which has none, where they go into a file that has."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from wdrop.files.table_file import Dialect, open_table
from wdrop.files.text_columns import MISSING, cells

_KINDS = (pa.int64(), pa.float64(), pa.bool_())
_A_NAME = r"^[+-]?0\d"  # 007 is no amount
_TOO_LONG = r"^[+-]?\d{16,}$"  # for a float64 to keep its last digits


def csv_types(path: str, dialect: Dialect | None = None) -> dict[str, Any]:
    """By name the first of int64, float64 and bool that all cells of a column are; text is left out.

    Reads the file once, in pieces. None of parquet, whose columns have types, nor of a stream, which is read only once.
    """
    if path.lower().endswith(".parquet") or not Path(path).is_file():
        return {}
    with closing(open_table(path, dialect)) as stream:
        kinds, empty = dict.fromkeys(stream.names, _KINDS), set(stream.names)
        for piece in stream.batches:
            for name in stream.names:
                column = cells(piece.column(name), MISSING)
                kinds[name] = tuple(kind for kind in kinds[name] if _is_all(kind, column))
                if column.null_count < len(column):
                    empty.discard(name)
    return {name: found[0] for name, found in kinds.items() if found and name not in empty}


def typed(column: Any, kind: Any | None) -> Any:
    """The text as values of that type, null where nothing was observed; as it is without a type."""
    return column if kind is None else pc.cast(cells(column, MISSING), kind)


def _is_all(kind: Any, column: Any) -> bool:
    try:
        pc.cast(column, kind)
    except pa.ArrowInvalid:
        return False
    is_lost = pc.match_substring_regex(column, f"{_A_NAME}|{_TOO_LONG}" if kind == pa.float64() else _A_NAME)
    return not pc.any(is_lost).as_py()
