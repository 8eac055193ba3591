"""Label files of all kinds, read so that every failure names file and line."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Complain = Callable[[str], None]  # raises, or notes what is wrong and lets the reader go on


class MissingPartError(Exception):
    """A file or folder that the data set's tree has and this folder has not."""


def part(folder: Path, *alternatives: str) -> Path:
    """The first of these paths that exists in the folder."""
    for path in alternatives:
        if (folder / path).exists():
            return folder / path
    raise MissingPartError(" or ".join(dict.fromkeys(alternatives)))


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that are not empty, each with its place, `file:line`."""
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    return ((line, f"{path}:{number}") for number, line in enumerate(text.splitlines(), 1) if line.strip())


def numbers(fields: Sequence[Any]) -> tuple[float, ...] | None:
    """The fields as finite numbers; None if one is not."""
    try:
        found = tuple(float(value) for value in fields)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if all(map(math.isfinite, found)) else None


def four(fields: Any) -> tuple[float, float, float, float] | None:
    """Exactly four finite numbers; None for anything else."""
    found = numbers(fields) if isinstance(fields, list | tuple) else None
    return (found[0], found[1], found[2], found[3]) if found is not None and len(found) == 4 else None


def shown(value: Any) -> str:
    """The value in an error: its beginning, if it is long."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}..."


def extent(width: Any, height: Any) -> tuple[int, int] | None:
    """Width and height of a picture in pixels, at least one each; None for anything else."""
    found = numbers([width, height])
    return (int(found[0]), int(found[1])) if found is not None and min(found) >= 1 else None


def identity(value: Any) -> str | int | float | None:
    """What can name an entry, a number or a text; None for anything else, such as a list."""
    return value if isinstance(value, str | int | float) else None


def read_json(path: Path, kind: type) -> Any:
    """What the file holds, which is of that kind at its top."""
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}:{error.lineno}: expected JSON, got {error.msg} at column {error.colno}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: expected JSON, got a file that is not text") from None
    except RecursionError:
        raise ValueError(f"{path}: expected JSON, got thousands of lists in one another") from None
    if not isinstance(found, kind):
        raise ValueError(f"{path}: expected a JSON {_NAMES[kind]} at the top, got {_NAMES.get(type(found), 'a value')}")
    return found


_NAMES: dict[type, str] = {list: "list", dict: "object"}
