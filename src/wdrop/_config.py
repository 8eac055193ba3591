"""TOML tables into the dataclasses that the library has, and back."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from wdrop._checks import known

T = TypeVar("T")


def build(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    """The dataclass with these fields; tables within become the dataclasses of their fields.

    A default is written once, in the class. An unknown key is an error that says where, and what was meant.
    """
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    hints = typing.get_type_hints(kind)
    values = {}
    for key, value in table.items():
        try:
            known("key", key, fields)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        values[key] = _value(hints[key], value, fields[key].default, f"{where}.{key}")
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None


def resolved(value: Any) -> Any:
    """A dataclass and all within as plain tables, defaults included: what a run is known by."""
    if dataclasses.is_dataclass(value):
        return {field.name: resolved(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: resolved(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [resolved(entry) for entry in value]
    return value


def merged(*tables: Mapping[str, Any]) -> dict[str, Any]:
    """Tables laid over each other, the later on top, tables within likewise."""
    out: dict[str, Any] = {}
    for table in tables:
        for key, value in table.items():
            both = isinstance(value, Mapping) and isinstance(out.get(key), Mapping)
            out[key] = merged(out[key], value) if both else value
    return out


def _value(hint: Any, value: Any, default: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(value, Mapping):
            raise ValueError(f"{where}: expected a table, got {value!r}")
        # What the class sets for this field stays where the table is silent: MC dropout's weight decay, say.
        before = resolved(default) if dataclasses.is_dataclass(default) else {}
        return build(hint, merged(before, value), where)
    if not _fits(hint, value):
        raise ValueError(f"{where}: expected {_shown(hint)}, got {value!r}")
    return float(value) if hint is float else value


def _fits(hint: Any, value: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(part, value) for part in typing.get_args(hint))
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or hint)


def _shown(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)
