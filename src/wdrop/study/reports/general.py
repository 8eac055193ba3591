"""The report of any study: the mean of every measure for each group, data set, split and method."""

from collections.abc import Sequence

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.figures import METHOD_TITLES
from wdrop.report.tables import Cell, Table
from wdrop.study.plan import Study
from wdrop.study.reports.parts import Part, Told, records
from wdrop.study.store import Store

_MEASURES = ("rmse", "nll", "ece", "ws", "etl", "crps", "coverage")


def general_report(study: Study, store: Store) -> Told:
    """A table for each group of the study."""
    table = records(study, store)
    done, failed = (table["status"] == "done").sum(), (table["status"] == "failed").sum()
    parts = [
        Part(str(group), tables={str(group): means_table(str(group), rows)}) for group, rows in table.groupby("group")
    ]
    return Told(f"{done} rows of records, {failed} runs failed.", parts)


def means_table(title: str, rows: pd.DataFrame) -> Table:
    """Mean over folds and seeds of the scores on test rows."""
    judged = rows[(rows["status"] == "done") & (rows["part"] == "test")]
    keys = ["dataset", "split", "method", "variant"]
    out: list[Sequence[str | Cell]] = []
    for (dataset, split, method, variant), group in judged.groupby(keys, sort=False):
        name = METHOD_TITLES.get(str(method), str(method)) + (f", {variant}" if variant else "")
        cells = [Cell(float(group[measure].mean())) for measure in _MEASURES]
        out.append([str(dataset), str(split), name, *cells, Cell(float(group["seconds"].sum() / len(group)))])
    headings = ["data set", "split", "method", *(MEASURES[name].heading for name in _MEASURES), "seconds"]
    return Table(title, headings, out, "Means over folds and seeds, on test rows, in standardised units.")
