"""Entries of a plan's tables; a wrong one is refused with its place, what was expected and what came."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from wdrop._checks import known
from wdrop.data.splits import ALL_FOLDS

Table = Mapping[str, Any]
_WORDS: Mapping[type, str] = MappingProxyType(
    {str: "a string", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}
)


def single(where: str, value: Any, *kinds: type) -> Any:
    """The value, if it is of one of these kinds."""
    if type(value) not in kinds:
        raise ValueError(f"{where}: expected {_told(kinds)}, got {value!r}")
    return value


def listed(where: str, value: Any, *kinds: type) -> list[Any]:
    """A list of such values, out of one or a list of them."""
    values = value if isinstance(value, list) else [value]
    if not values or any(type(one) not in kinds for one in values):
        raise ValueError(f"{where}: expected {_told(kinds)}, or a list of such, got {value!r}")
    return values


def folds(where: str, value: Any) -> list[int]:
    """Numbers of folds, each once."""
    numbers = single(where, value, list)
    if not numbers or len(set(map(str, numbers))) < len(numbers) or any(one not in ALL_FOLDS for one in numbers):
        raise ValueError(f"{where}: expected a list of folds from 0 to {ALL_FOLDS[-1]}, each once, got {value!r}")
    return listed(where, numbers, int)


def method_named(where: str, method: str | Table) -> tuple[str, str, dict[str, Any]]:
    """Name and variant of a method, and its settings."""
    settings: dict[str, Any] = {"name": method} if isinstance(method, str) else dict(method)
    if "name" not in settings:
        raise ValueError(f"{where}: expected a table with a 'name', got {settings}")
    name = single(f"{where}.name", settings.pop("name"), str)
    return name, single(f"{where}.variant", settings.pop("variant", ""), str), settings


def regime_of(dataset: str, regimes: Mapping[str, Table]) -> Table:
    """The first regime that has this data set; an empty one if none has."""
    return next((regime for regime in regimes.values() if dataset in regime["datasets"]), {})


def check_regimes(regimes: Any, datasets: Collection[str], keys: Sequence[str]) -> None:
    """Refuse regimes with keys other than these, or for data sets that there are not."""
    for name, regime in single("regimes", regimes, dict).items():
        where = f"regimes.{name}"
        for key in single(where, regime, dict):
            known(f"key of {where}", key, keys)
        if "datasets" not in regime:
            raise ValueError(f"{where}: expected 'datasets', a list of the data sets it is for, got none")
        for dataset in listed(f"{where}.datasets", single(f"{where}.datasets", regime["datasets"], list), str):
            known(f"data set of {where}", dataset, datasets)
        single(f"{where}.training", regime.get("training", {}), dict)
        folds(f"{where}.folds", regime.get("folds", [0]))


def _told(kinds: Sequence[type]) -> str:
    return " or ".join(_WORDS[kind] for kind in kinds)
