"""The columns of a fitted table model, in a graph: numbers with gaps filled, words as levels.

Table models live in a room above this one; what is needed of them is told here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from wdrop.export.graphs import Graph, Value
from wdrop.prediction import Predictor

NUMBERS, WORDS = "x", "words"
MISSING = ""
"""How a missing word is written: a tensor of strings has no gaps. A missing number is NaN."""


class Columns(Protocol):
    """From a table to features. A column of numbers has `fill`, `tells_gaps`, `is_constant`, one of words `levels`."""

    @property
    def features(self) -> Sequence[Any]: ...

    def encode(self, table: Any) -> NDArray[np.float64]: ...


class Table(Protocol):
    """A fitted table model: from columns to features to a prediction."""

    @property
    def columns(self) -> Columns: ...
    @property
    def predictor(self) -> Predictor: ...
    @property
    def targets(self) -> tuple[str, ...]: ...
    @property
    def seed(self) -> int: ...
    @property
    def summary(self) -> Mapping[str, Any]: ...


def is_table(model: object) -> TypeGuard[Table]:
    return all(hasattr(model, name) for name in ("columns", "predictor", "targets", "seed", "summary"))


def numbers_in(columns: Columns) -> list[Any]:
    """The columns of numbers, in the order in which the graph takes them."""
    return [feature for feature in columns.features if not hasattr(feature, "levels")]


def words_in(columns: Columns) -> list[Any]:
    """The columns of words, likewise."""
    return [feature for feature in columns.features if hasattr(feature, "levels")]


def encoded(graph: Graph, columns: Columns, kind: str) -> Value:
    """The features (n, f), out of inputs `x` (n, numbers) and `words` (n, words), each if there are any."""
    numbers, words = numbers_in(columns), words_in(columns)
    parts: list[Value] = []
    if numbers:
        parts += _filled(graph.input(NUMBERS, kind, ["n", len(numbers)]), numbers)
    if words:
        source = graph.input(WORDS, "string", ["n", len(words)])
        parts += [_levels(source.columns([j]), feature, kind) for j, feature in enumerate(words) if feature.levels]
    together, order = parts[0].joined(parts[1:], 1), _order(columns)
    return together if order == sorted(order) else together.columns(order)


def _filled(x: Value, features: Sequence[Any]) -> list[Value]:
    """The numbers with their gaps filled, and 1 at the gaps of those columns that tell them."""
    gaps = x.is_nan()
    constant = x.graph.constant([bool(feature.is_constant) for feature in features], "bool")
    ignored = x.graph.node("Or", gaps, constant)
    fill = x.graph.constant([feature.fill for feature in features], x.kind)
    filled = x.graph.node("Where", ignored, fill, x, kind=x.kind)
    telling = [i for i, feature in enumerate(features) if feature.tells_gaps]
    return [filled, gaps.to(x.kind).columns(telling)] if telling else [filled]


def _levels(column: Value, feature: Any, kind: str) -> Value:
    """1 in the level's own column, 0 elsewhere."""
    if MISSING in feature.levels:
        raise ValueError(
            f"column {feature.name!r} holds empty words, which a graph cannot tell from missing ones; "
            "give them a name and fit again"
        )
    levels = [MISSING if level is None else level for level in feature.levels]
    return column.equals(np.array([levels], dtype=object)).to(kind)


def _order(columns: Columns) -> list[int]:
    """Where each feature of the model lies among numbers, then their gaps, then the levels of words."""
    n_numbers = len(numbers_in(columns))
    number, gap = 0, n_numbers
    level = n_numbers + sum(feature.tells_gaps for feature in numbers_in(columns))
    order: list[int] = []
    for feature in columns.features:
        if hasattr(feature, "levels"):
            order += range(level, level + len(feature.levels))
            level += len(feature.levels)
            continue
        order.append(number)
        number += 1
        if feature.tells_gaps:
            order.append(gap)
            gap += 1
    return order


def as_table(columns: Columns, numbers: NDArray[Any], words: NDArray[Any]) -> Any:
    """The inputs of the graph as a table that the model takes."""
    left = {False: iter(numbers.T.astype(np.float64)), True: iter(_with_gaps(words).T)}
    parts = [next(left[hasattr(feature, "levels")]) for feature in columns.features]
    names = [feature.name for feature in columns.features]
    return np.stack(parts, 1) if None in names else dict(zip(names, parts, strict=True))


def _with_gaps(words: NDArray[Any]) -> NDArray[Any]:
    missing: NDArray[Any] = words.copy()
    missing[words == MISSING] = None
    return missing
