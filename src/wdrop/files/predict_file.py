"""Predictions for the rows of a user's file, into a file, piece by piece: it may be longer than the memory."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from wdrop.estimators.columns import Columns, NumberFeature
from wdrop.files.arrow_values import doubles
from wdrop.files.csv_types import csv_types, typed
from wdrop.files.forecaster import Forecaster, open_forecaster
from wdrop.files.output_file import STDOUT, check_ending, check_outputs, table_writer
from wdrop.files.table_file import Dialect, TableStream, open_table
from wdrop.files.text_columns import check_finite, numbers, words

T = TypeVar("T")
U = TypeVar("U")

PROGRESS_STEPS = 1000
"""From nothing read to all."""


@final
@dataclass(frozen=True)
class PredictedFile:
    """What came of predicting: the columns that were added, for how many rows, where."""

    path: str
    rows: int
    added: tuple[str, ...]
    seconds: float


def predict_file(
    model: str,
    data: str,
    out: str,
    *,
    level: float = 0.9,
    closed_form: bool = False,
    dialect: Dialect | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> PredictedFile:
    """Write the table with mean, std and the ends of an interval beside each row; its own columns stay as they are.

    Columns are matched by name. Of several targets each adds four columns of its own, such as `price mean`.
    """
    start = time.perf_counter()
    check_level(level)
    check_outputs([] if out == STDOUT else [out], [model, data], force=force)
    check_ending(out)
    forecaster = open_forecaster(model, closed_form=closed_form)
    rows = 0
    with closing(open_table(data, dialect)) as stream:
        plain = check_columns(data, stream.names, forecaster.columns)
        added = _added(data, forecaster.targets, stream.names)
        types = csv_types(data, dialect) if out.lower().endswith(".parquet") else {}
        work = partial(_with_forecast, data, forecaster, added, types, ((1 - level) / 2, (1 + level) / 2))
        with table_writer(out, (dialect or Dialect()).separator) as writer:
            for columns in in_order(work, pieces(data, stream), forecaster.n_threads):
                writer.write(columns, clean=(*plain, *added))
                rows += len(columns[added[0]])
                if progress is not None:
                    progress(int(PROGRESS_STEPS * stream.read()), PROGRESS_STEPS)
    return PredictedFile(out, rows, tuple(added), round(time.perf_counter() - start, 3))


def _with_forecast(
    data: str,
    forecaster: Forecaster,
    added: Sequence[str],
    types: Mapping[str, Any],
    levels: Sequence[float],
    work: tuple[Any, int],
) -> dict[str, Any]:
    """The columns of a piece, and those that are added."""
    piece, first = work
    told = forecaster.forecast(needed_of(data, piece, forecaster.columns, first), levels)
    parts = np.stack([told.mean, told.std, *told.quantiles], -1)  # (n, d, 4)
    ends = parts.reshape(len(parts), -1).T
    own = {name: typed(piece.column(name), types.get(name)) for name in piece.column_names}
    return {**own, **{name: doubles(values) for name, values in zip(added, ends, strict=True)}}


def check_level(level: float) -> None:
    """Refuse what is no share of points between nothing and all."""
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}; 0.9 asks for nine of ten points inside")


def check_columns(data: str, names: Sequence[str], columns: Columns) -> list[str]:
    """The columns of numbers among those that the model needs, if all that it needs are there."""
    for feature in columns.features:
        if feature.name is None:
            raise ValueError("this model was trained on a table without names of columns; fit it again from a file")
        if feature.name not in names:
            guess = get_close_matches(feature.name, names, n=1)
            hint = f", did you mean {guess[0]!r}?" if guess else ""
            raise ValueError(
                f"{data}: the column {feature.name!r}, which the model needs, is missing{hint}; "
                f"it has: {', '.join(names)}"
            )
    return [str(feature.name) for feature in columns.features if isinstance(feature, NumberFeature)]


def pieces(data: str, stream: TableStream) -> Iterator[tuple[Any, int]]:
    """Pieces of the table, each with the number of rows before it."""
    first = 0
    for piece in stream.batches:
        yield piece, first
        first += piece.num_rows
    if first == 0:
        raise ValueError(f"{data}: expected a heading and rows, got 0 rows")


def needed_of(data: str, piece: Any, columns: Columns, first: int) -> dict[str, NDArray[Any]]:
    """What a model needs of a piece: columns by name, numbers or words; `first` rows came before, for errors."""
    return {str(f.name): _values(data, piece.column(f.name), f, first) for f in columns.features}


def _values(data: str, array: Any, feature: Any, first: int) -> NDArray[Any]:
    if not isinstance(feature, NumberFeature):
        return words(array)
    try:
        values = numbers(str(feature.name), array, first)
        check_finite(str(feature.name), values, first)
    except ValueError as error:
        raise ValueError(f"{data}: {error}") from None
    return values


def _added(data: str, targets: Sequence[str], names: Sequence[str]) -> list[str]:
    parts = ("mean", "std", "lower", "upper")
    added = list(parts) if len(targets) == 1 else [f"{target} {part}" for target in targets for part in parts]
    taken = [name for name in added if name in names]
    if taken:
        raise ValueError(f"{data} already has a column {taken[0]!r}, which predicting adds; rename it")
    return added


def in_order(work: Callable[[T], U], items: Iterable[T], n_threads: int) -> Iterator[U]:
    """What comes of each item, in their order, so many at a time; those that wait bound the memory."""
    if n_threads < 2:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        waiting: deque[Future[U]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > n_threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
