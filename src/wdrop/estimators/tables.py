"""Tables of whatever library, as columns of numbers or of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, final

import numpy as np
from numpy.typing import NDArray


@final
@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table; its name is None where the table has no names.

    values  (n,), float64 with NaN where missing; or strings with None where missing
    """

    name: str | None
    values: NDArray[Any]

    @property
    def is_numeric(self) -> bool:
        return self.values.dtype != object

    @property
    def title(self) -> str:
        return "a column" if self.name is None else f"column {self.name!r}"


def columns_of(table: Any) -> list[Column]:
    """The columns of a pandas or polars frame, a pyarrow table, a dictionary of columns, or a matrix.

    Numbers and truth values are numbers; strings and categories are words; dates and what else there is are refused.
    None of these libraries is imported: a frame knows how to give its columns away.
    """
    if hasattr(table, "iloc"):
        named = [(str(name), table.iloc[:, i]) for i, name in enumerate(table.columns)]
        return [Column(name, _pandas(name, series)) for name, series in named]
    if hasattr(table, "get_columns"):
        return [Column(series.name, _polars(series.name, series)) for series in table.get_columns()]
    if hasattr(table, "column_names"):
        return [Column(name, _arrow(name, table.column(i))) for i, name in enumerate(table.column_names)]
    if isinstance(table, Mapping):
        return [Column(str(name), _plain(str(name), np.asarray(values))) for name, values in table.items()]
    matrix: NDArray[Any] = np.asarray(table)
    if matrix.ndim != 2:
        raise ValueError(f"expected a table with rows and columns, got shape {matrix.shape}")
    return [Column(None, _plain(i, matrix[:, i])) for i in range(matrix.shape[1])]


def _pandas(name: str, series: Any) -> NDArray[Any]:
    kind = getattr(series.dtype, "kind", "O")
    if kind in "biuf":
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    missing = series.isna().to_numpy()
    values = series.astype(object).to_numpy(copy=True)
    values[missing] = None
    return _plain(name, values)


def _polars(name: str, series: Any) -> NDArray[Any]:
    if series.dtype.is_numeric() or str(series.dtype) == "Boolean":
        return np.asarray(series.cast(float).to_numpy(), dtype=np.float64)
    return _plain(name, np.array(series.to_list(), dtype=object))


def _arrow(name: str, array: Any) -> NDArray[Any]:
    kind = str(array.type)
    if kind.startswith(("int", "uint", "float", "double", "halffloat")):
        array = array.cast("double")
        chunks = getattr(array, "chunks", [array])
        return np.concatenate([np.empty(0), *(chunk.to_numpy(zero_copy_only=False) for chunk in chunks)])
    return _plain(name, np.array(array.to_pylist(), dtype=object))


def _plain(name: str | int, values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    if values.dtype.kind not in "OUST":
        raise TypeError(f"column {name!r} holds {values.dtype}; expected numbers or words, turn it into such")
    entries = values.astype(object)
    missing = np.array([_is_missing(entry) for entry in entries], dtype=bool)
    seen = entries[~missing]
    if all(isinstance(entry, Real | np.bool_) for entry in seen):
        numbers = np.full(len(entries), np.nan)
        numbers[~missing] = seen.astype(np.float64)
        return numbers
    return _words(name, entries, missing)


def _words(name: str | int, entries: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[Any]:
    out = np.full(len(entries), None, dtype=object)
    for i in np.flatnonzero(~missing):
        entry = entries[i]
        if not isinstance(entry, str | Real | np.bool_):
            raise TypeError(f"column {name!r}: argument must be a string or a number, got {type(entry).__name__}")
        out[i] = str(entry)
    return out


def _is_missing(entry: object) -> bool:
    # pandas' NA is neither equal nor unequal to itself, hence its name
    return (
        entry is None or type(entry).__name__ in {"NAType", "NaTType"} or (isinstance(entry, float) and entry != entry)
    )


def matched(columns: Sequence[Column], names: Sequence[str | None]) -> list[Column]:
    """The columns with these names, in their order; by place where either side has no names."""
    if any(name is None for name in names) or any(column.name is None for column in columns):
        if len(columns) != len(names):
            raise ValueError(f"expected {len(names)} columns, got {len(columns)}")
        return list(columns)
    found: dict[str | None, Column] = {}
    for column in columns:
        if column.name in found:
            raise ValueError(f"expected each name once, got several columns {column.name!r}")
        found[column.name] = column
    if missing := [name for name in names if name not in found]:
        raise ValueError(f"expected the columns of training, got none named {', '.join(map(repr, missing))}")
    return [found[name] for name in names]
