"""Columns of a file as numbers or as words, whatever types the file has for them."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds
from numpy.typing import NDArray
from pyarrow.csv import ConvertOptions

from wdrop.estimators.tables import Column
from wdrop.files.arrow_values import numbers_in, string, strings
from wdrop.files.number_cells import check_not_spoiled, comma_hint

MISSING: list[str] = ConvertOptions().null_values
"""What stands in a file of text where nothing was observed: the empty string, NA, NaN, null, ..."""

_GAPS = [*MISSING, "?", "-", "--", ".", "None", "none", "na", "Null"]
"""The same in columns of numbers; among words these may mean something."""


def is_text(array: Any) -> bool:
    """Whether a column holds strings, or numbers of those."""
    kind = array.type.value_type if kinds.is_dictionary(array.type) else array.type
    return bool(kinds.is_string(kind) or kinds.is_large_string(kind))


def is_numeric(array: Any) -> bool:
    """Whether a column holds numbers, truth values, or nothing at all."""
    tests = (kinds.is_integer, kinds.is_floating, kinds.is_decimal, kinds.is_boolean, kinds.is_null)
    return any(test(array.type) for test in tests)


def column_of(name: str, array: Any) -> Column:
    """The column as training takes it: numbers, also where spaces stand around them, else words."""
    if is_numeric(array):
        return Column(name, _plain(array))
    if not is_text(array):
        raise ValueError(
            f"column {name!r} holds {array.type}; expected numbers or words, turn it into such or ignore it"
        )
    numbers = _parsed(array)
    if numbers is None:
        check_not_spoiled(name, cells(array, _GAPS))
    if numbers is None or (np.isnan(numbers).all() and cells(array, MISSING).null_count < len(array)):
        return Column(name, words(array))
    return Column(name, numbers)


def numbers(name: str, array: Any, first_row: int = 0) -> NDArray[np.float64]:
    """The column as numbers, NaN where missing; an error names the first entry that is none."""
    if is_numeric(array):
        return _plain(array)
    if not is_text(array):
        raise ValueError(f"column {name!r} holds {array.type}; expected numbers")
    parsed = _parsed(array)
    if parsed is None:
        entries = array.to_pylist()
        bad = next(i for i, entry in enumerate(entries) if entry is not None and _parsed(strings([entry])) is None)
        raise ValueError(
            f"expected numbers in column {name!r}, got {entries[bad]!r} in row {first_row + bad + 1}"
            f"{comma_hint(entries[bad])}"
        )
    return parsed


def target_numbers(name: str, array: Any, first_row: int = 0) -> NDArray[np.float64]:
    """A target's values, NaN where missing; finite."""
    try:
        values = numbers(name, array, first_row)
    except ValueError as error:
        raise ValueError(f"a target is a number: {error}") from None
    check_finite(name, values, first_row)
    return values


def check_finite(name: str, values: NDArray[np.float64], first_row: int = 0) -> None:
    """Refuse infinite numbers, saying where the first stands."""
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        raise ValueError(
            f"expected finite numbers in column {name!r}, got {values[infinite[0]]} in row "
            f"{first_row + infinite[0] + 1}; mend it, or leave it empty"
        )


def words(array: Any) -> NDArray[Any]:
    """The column as strings, None where missing."""
    return np.array([None if entry in _MISSING else str(entry) for entry in array.to_pylist()], dtype=object)


def cells(array: Any, missing: list[str]) -> Any:
    """The strings without spaces around them, null where they stand for nothing."""
    trimmed = pc.utf8_trim_whitespace(pc.cast(array, pa.string()))
    return pc.if_else(pc.is_in(trimmed, strings(missing)), pa.nulls(1, pa.string())[0], trimmed)


_MISSING = {None, *MISSING}


def _plain(array: Any) -> NDArray[np.float64]:
    if kinds.is_boolean(array.type):
        array = pc.cast(array, pa.uint8())
    return numbers_in(array)


def _parsed(array: Any) -> NDArray[np.float64] | None:
    """The numbers that the strings tell; None if one of them tells none."""
    try:
        return _plain(pc.cast(array, pa.float64()))
    except pa.ArrowInvalid:
        pass
    known = cells(array, _GAPS)
    try:
        return _plain(pc.cast(known, pa.float64()))
    except pa.ArrowInvalid:
        pass
    lowered = pc.utf8_lower(known)
    if {entry.as_py() for entry in pc.unique(lowered)} <= {"true", "false", None}:
        return _plain(pc.equal(lowered, string("true")))
    return None
