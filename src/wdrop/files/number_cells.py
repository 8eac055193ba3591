"""Cells of text that are numbers, nearly are, or spoil a column of numbers."""

import re
from typing import Any

import pyarrow.compute as pc

_NUMBER = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
_WITH_COMMAS = r"[+-]?\d*(,\d+)+([eE][+-]?\d+)?"
_NEARLY_ALL = 0.9  # of the filled cells: so many numbers are meant to be numbers, the rest are accidents


def check_not_spoiled(name: str, cells: Any) -> None:
    """Refuse a column of words in which nearly all are numbers: as words they would be too rare to learn from.

    cells  strings without spaces around them, null where nothing was observed
    """
    is_number = pc.match_substring_regex(cells, f"^{_NUMBER}$")
    is_meant = pc.match_substring_regex(cells, f"^({_NUMBER}|{_WITH_COMMAS})$")
    n_filled = len(cells) - cells.null_count
    if n_filled == 0 or pc.sum(is_meant).as_py() < _NEARLY_ALL * n_filled:
        return
    row = pc.index(is_number, False).as_py()
    cell = cells[row].as_py()
    raise ValueError(
        f"column {name!r} holds numbers, but {cell!r} in row {row + 1}{comma_hint(cell)}; mend the cell, empty it for "
        f"a gap, or leave the column out: --ignore {name!r}; codes that are no amounts need a letter in each"
    )


def comma_hint(cell: str) -> str:
    """What is added to an error where the cell is a number, but for its commas."""
    return ", whose commas need to go: decimals follow a point" if re.fullmatch(_WITH_COMMAS, cell.strip()) else ""
