"""Columns of a table as features: what becomes of words and of gaps is set by the training rows."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop.estimators.tables import Column, columns_of, matched

MOST_LEVELS = 50
LEAST_SHARE = 0.005
"""Of the rows. A feature that is 1 in fewer would, standardised, be a spike of 14 and more."""


@final
@dataclass(frozen=True)
class NumberFeature:
    """A number as it is; a gap becomes the mean, and 1 in a feature of its own if gaps were not rare.

    A column that was constant in training says nothing and stays at that constant.
    """

    name: str | None
    fill: float
    tells_gaps: bool
    is_constant: bool

    @classmethod
    def of(cls, column: Column, weight: NDArray[np.float64]) -> "NumberFeature":
        values = column.values
        seen = ~np.isnan(values)
        if not seen.any():
            raise ValueError(f"{column.title} has no values; leave it out")
        constant = bool((values[seen] == values[seen][0]).all())
        fill = float(values[seen][0] if constant else np.average(values[seen], weights=weight[seen]))
        tells_gaps = bool(weight[~seen].sum() >= LEAST_SHARE * weight.sum())
        return cls(column.name, fill, tells_gaps, constant)

    @property
    def titles(self) -> list[str]:
        return [str(self.name), f"{self.name} missing"] if self.tells_gaps else [str(self.name)]

    def encode(self, column: Column) -> list[NDArray[np.float64]]:
        if not column.is_numeric:
            raise ValueError(f"{column.title} held numbers in training, got words")
        if np.isinf(column.values).any():
            raise ValueError(f"{column.title}: Input X contains infinity or a value too large for dtype('float64')")
        gaps = np.isnan(column.values)
        values = np.where(gaps | self.is_constant, self.fill, column.values)
        return [values, gaps.astype(np.float64)] if self.tells_gaps else [values]


@final
@dataclass(frozen=True)
class WordFeature:
    """A feature for each frequent level, 1 in its rows and 0 elsewhere; a gap is a level like any other.

    Rare levels, and levels that training has not seen, are 0 in all of them.
    """

    name: str | None
    levels: tuple[str | None, ...]

    @classmethod
    def of(cls, column: Column, weight: NDArray[np.float64]) -> "WordFeature":
        totals: dict[str | None, float] = {}
        for level, amount in zip(column.values, weight, strict=True):
            totals[level] = totals.get(level, 0.0) + amount
        frequent = [level for level, total in totals.items() if total >= LEAST_SHARE * weight.sum()]
        frequent.sort(key=lambda level: (-totals[level], str(level)))
        return cls(column.name, tuple(sorted(frequent[:MOST_LEVELS], key=lambda level: (level is None, level or ""))))

    @property
    def titles(self) -> list[str]:
        return [f"{self.name} = {'missing' if level is None else level}" for level in self.levels]

    def encode(self, column: Column) -> list[NDArray[np.float64]]:
        # numbers read from a file whose words in this column all look like numbers
        values = column.values if not column.is_numeric else np.array([_word(v) for v in column.values], dtype=object)
        places = {level: i for i, level in enumerate(self.levels)}
        found = np.fromiter((places.get(value, -1) for value in values), np.int64, len(values))
        return [(found == i).astype(np.float64) for i in range(len(self.levels))]


def _word(value: float) -> str | None:
    return None if np.isnan(value) else f"{value:g}"


Feature = NumberFeature | WordFeature


@final
@dataclass(frozen=True)
class Columns:
    """How each column of a table becomes features."""

    features: tuple[Feature, ...]

    @classmethod
    def of(cls, table: Any, weight: NDArray[np.float64] | None = None) -> "Columns":
        columns = columns_of(table)
        counts = np.ones(len(columns[0].values)) if weight is None else weight
        features = [(NumberFeature if c.is_numeric else WordFeature).of(c, counts) for c in columns]
        if not any(feature.titles for feature in features):
            raise ValueError("expected a column that tells rows apart, got only words too rare to learn from")
        return cls(tuple(features))

    @property
    def names(self) -> list[str | None]:
        """Of the columns that a table must have."""
        return [feature.name for feature in self.features]

    @property
    def titles(self) -> list[str]:
        """Of the features that come of them."""
        return [title for feature in self.features for title in feature.titles]

    def encode(self, table: Any) -> NDArray[np.float64]:
        """A finite number for each row and feature, (n, f); columns are found by name, others are not looked at."""
        columns = matched(columns_of(table), self.names)
        parts = [part for f, column in zip(self.features, columns, strict=True) for part in f.encode(column)]
        return np.column_stack(parts)

    def to_json(self) -> list[dict[str, Any]]:
        return [{"kind": type(feature).__name__, **asdict(feature)} for feature in self.features]

    @classmethod
    def from_json(cls, entries: Sequence[Mapping[str, Any]]) -> "Columns":
        features: list[Feature] = []
        for entry in entries:
            fields = {name: value for name, value in entry.items() if name != "kind"}
            if entry["kind"] == "WordFeature":
                features.append(WordFeature(fields["name"], tuple(fields["levels"])))
            else:
                features.append(NumberFeature(**fields))
        return cls(tuple(features))
