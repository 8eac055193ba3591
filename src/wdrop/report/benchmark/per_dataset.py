"""Scores on each data set, i.i.d. test folds, with the paper's beside: in its layout, in ours, and as published."""

import itertools
from collections.abc import Sequence
from math import nan

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.paper import paper_value
from wdrop.report.benchmark.scores import (
    DATASETS,
    PAPER_MEASURES,
    PAPER_METHODS,
    Score,
    as_published,
    column_for,
    floor_of,
    in_order,
    main_form,
    on_panel,
    score,
)
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import Cell, Table

_ROUNDED = (
    "ECE and its floor round Φ(r) to two decimals first, as the paper's does; a perfect forecast then scores 0.02 on "
    "many points."
)
_EVIDENTIAL = "PU-EV's published NLL is given without its two constants too many (1.917)."


def per_dataset_table(records: pd.DataFrame) -> Table | None:
    """The paper's large table, measures and data sets down, methods across; None if nothing was run.

    All its data sets are there, so that what was not run is seen: – with the paper's value.
    """
    rows = on_panel(main_form(records), "test")
    if rows.empty:
        return None
    methods = in_order(rows["method"].unique(), PAPER_METHODS)
    out: list[Sequence[str | Cell]] = []
    for dataset in DATASETS:
        of_set = rows[rows["dataset"] == dataset]
        means = {name: of_set.groupby("method")[column_for(rows, name)].mean() for name in PAPER_MEASURES}
        out += [[MEASURES[name].heading, dataset, *_across(means[name], dataset, name, methods)] for name in means]
    headings = ["measure", "data set", *(METHOD_LABELS.get(method, method) for method in methods)]
    note = f"Ours, with the paper's value in brackets; –: not run. Means over folds and seeds. {_ROUNDED} {_EVIDENTIAL}"
    return Table("Scores on every data set", headings, out, note)


def _across(means: "pd.Series[float]", dataset: str, measure: str, methods: Sequence[str]) -> list[str | Cell]:
    return [
        Cell(float(means.get(method, nan)), paper_value("uci", "iid-test", dataset, method, measure))
        for method in methods
    ]


def details_table(records: pd.DataFrame) -> Table | None:
    """One row per data set and method: scores with standard errors, what the paper has not, and floors."""
    return _long_table(
        on_panel(main_form(records), "test"),
        "Scores on every data set, in detail",
        f"±: standard error over folds and seeds. Floor: what a perfect forecaster scores on folds of these sizes. "
        f"{_ROUNDED} {_EVIDENTIAL}",
    )


def as_published_table(records: pd.DataFrame) -> Table | None:
    """The same for the runs with `as_published=True`."""
    return _long_table(
        on_panel(as_published(records), "test"),
        "As published: scores of the methods with as_published=True",
        "Only methods of which that differs from the default, and only data sets that were run so. It is what the code "
        "behind the paper does; of CON-MC alone it is what the paper's text says, and the code behind its numbers has "
        f"our default. {_ROUNDED} {_EVIDENTIAL}",
    )


def _long_table(rows: pd.DataFrame, title: str, note: str) -> Table | None:
    if rows.empty:
        return None
    cells = {(str(dataset), str(method)): some for (dataset, method), some in rows.groupby(["dataset", "method"])}
    order = itertools.product(
        in_order(rows["dataset"].unique(), DATASETS), in_order(rows["method"].unique(), PAPER_METHODS)
    )
    headings = [
        "data set", "method",
        *(text for name in PAPER_MEASURES for text in (MEASURES[name].heading, f"± {MEASURES[name].heading}")),
        "CRPS", "90 % coverage", "ECE floor", "WS floor", "folds × seeds",
    ]  # fmt: skip
    return Table(title, headings, [_long_row(*place, cells[place]) for place in order if place in cells], note)


def _long_row(dataset: str, method: str, some: pd.DataFrame) -> list[str | Cell]:
    scores: dict[str, Score] = {name: score(some, column_for(some, name)) for name in PAPER_MEASURES}
    cells: list[str | Cell] = []
    for name, found in scores.items():
        cells += [Cell(found.mean, paper_value("uci", "iid-test", dataset, method, name)), Cell(found.error)]
    more = [Cell(score(some, name).mean) for name in ("crps", "coverage")]
    floors = [Cell(floor_of(some, column_for(some, name))) for name in ("ece", "ws")]
    return [dataset, METHOD_LABELS.get(method, method), *cells, *more, *floors, str(len(some))]
