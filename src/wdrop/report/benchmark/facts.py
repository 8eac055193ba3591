"""Facts beside the scores: the data sets, and what each method cost."""

from collections.abc import Sequence
from math import nan
from types import MappingProxyType

import numpy as np
import pandas as pd

from wdrop.data.catalogue import CATALOGUE
from wdrop.report.benchmark.scores import (
    DATASETS,
    LARGE,
    PAPER_METHODS,
    SMALL,
    column_for,
    done,
    floor_of,
    in_order,
    main_form,
    on_panel,
)
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import Cell, Table

_PAPER_HAS = MappingProxyType({"diabetes": "7 features", "abalone": "4176 points"})
"""Where the paper's table of data sets says something else than the data."""


def datasets_table(records: pd.DataFrame) -> Table:
    """The 14 data sets: size, what was run on them, and what a perfect forecaster scores on a test fold."""
    rows = on_panel(main_form(records), "test")
    return Table(
        "Data sets",
        ["data set", "features", "points", "target", "test fold", "folds", "ECE floor", "WS floor", "ETL floor",
         "the paper has", "licence", "remark"],
        [_facts_row(dataset, rows[rows["dataset"] == dataset]) for dataset in DATASETS],
        "Small: 1000 epochs, ten folds. Large, from abalone on: 150 epochs, folds 0, 3, 5, 7, 9 of ten. Batches of "
        "100. Floors: what a perfect forecaster scores on test folds of these sizes, ECE rounded as the paper's.",
    )  # fmt: skip


def _facts_row(dataset: str, rows: pd.DataFrame) -> list[str | Cell]:
    facts = CATALOGUE[dataset]
    size = "n_test" if "n_test" in rows else "n_judged"
    run = not rows.empty and size in rows
    n_test = round(float(rows[size].mean())) if run else 0
    of_runs = [str(n_test), str(rows["fold"].nunique())] if run else ["not run", ""]
    floors = [Cell(floor_of(rows, column_for(rows, name))) for name in ("ece", "ws", "etl")]
    known = [dataset, str(facts.features), str(facts.rows), facts.target]
    return [*known, *of_runs, *floors, _PAPER_HAS.get(dataset, "the same"), facts.licence, facts.note]


def seconds_per_fold(records: pd.DataFrame) -> pd.DataFrame:
    """Seconds to train and judge one fold on one thread: a row per data set, a column per method, i.i.d. runs."""
    rows = main_form(records)
    rows = rows[rows["split"] == "iid"]
    if rows.empty or not {"key", "seconds", "fold"} <= set(rows.columns):
        return pd.DataFrame(dtype=float)
    runs = rows.groupby(["dataset", "method", "key"]).agg(seconds=("seconds", "first"), folds=("fold", "nunique"))
    each = (runs["seconds"] / runs["folds"]).groupby(["dataset", "method"]).mean().unstack("method")
    return each.loc[in_order(each.index, DATASETS), in_order(each.columns, PAPER_METHODS)]


def seconds_table(records: pd.DataFrame) -> Table | None:
    """What each method cost: seconds per fold, times MC dropout, and hours in all."""
    seconds = seconds_per_fold(records)
    if seconds.empty:
        return None
    hours = _hours(records)
    rows: list[Sequence[str | Cell]] = [
        [
            METHOD_LABELS.get(method, method),
            *(Cell(_mean(seconds, method, names)) for names in (SMALL, LARGE)),
            Cell(times_over(seconds, method, "mc_dropout")),
            Cell(float(hours.get(method, nan))),
        ]
        for method in (str(name) for name in seconds.columns)
    ]
    note = (
        "Folds, members and seeds train as one stack, one thread; a fold's share of that, judging included. × MC "
        "dropout: geometric mean over the data sets that both have. Hours: all runs of the study."
    )
    headings = ["method", "seconds, small sets", "seconds, large sets", "× MC dropout", "core-hours in all"]
    return Table("Cost of each method", headings, rows, note)


def times_over(seconds: pd.DataFrame, method: str, other: str) -> float:
    """How many times the other's time a method takes: geometric mean over the data sets that both have."""
    if method not in seconds or other not in seconds:
        return nan
    ratio = (seconds[method] / seconds[other]).dropna()
    return float(np.exp(np.log(ratio).mean())) if len(ratio) else nan


def _mean(seconds: pd.DataFrame, method: str, datasets: tuple[str, ...]) -> float:
    return float(seconds.loc[[name for name in datasets if name in seconds.index], method].mean())


def _hours(records: pd.DataFrame) -> "pd.Series[float]":
    return done(records).drop_duplicates("key").groupby("method")["seconds"].sum() / 3600
