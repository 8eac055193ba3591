"""How far the std told is from the spread of the sub-networks: relative to 10,000 draws, median and 95 % of points."""

from collections.abc import Sequence

import pandas as pd

from wdrop.report.closed_form.rows import (
    BASE,
    TRUTH,
    WAYS,
    asked,
    datasets_of,
    in_table_order,
    on_tables,
)
from wdrop.report.tables import Cell, Table

KINDS = {"iid": "random folds", "inter": "shift, interpolation", "extra": "shift, extrapolation"}
NOTE = (
    "|std - drawn std| / drawn std in %, drawn: 10,000 sub-networks, whose own noise is about 0.5 % (median). Median "
    "and 95 % are over the points of a fold."
)


def gap_by_dataset(rows: pd.DataFrame, column: str = "gap_median") -> "pd.Series[float]":
    """The gap in % on each data set, mean over its folds."""
    return 100 * rows.groupby("dataset")[column].mean().dropna()


def typical_gap(rows: pd.DataFrame) -> tuple[float, float]:
    """Median and 95 % gap in %, each the median over data sets; NaN where none was run."""
    medians, highs = (gap_by_dataset(rows, column) for column in ("gap_median", "gap_q95"))
    return float(medians.median()), float(highs.median())


def gaps_table(rows: pd.DataFrame) -> Table | None:
    """Every training and way on real tables: random folds, then shifts."""
    out: list[Sequence[str | Cell]] = []
    for kind, title in KINDS.items():
        some = on_tables(rows, kind)
        for training in in_table_order(some["training"]):
            for way in [way for way in WAYS if way != TRUTH]:
                found = asked(some[some["training"] == training], way)
                medians = gap_by_dataset(found)
                if len(medians):
                    worst = str(medians.idxmax())
                    cells = [Cell(value) for value in typical_gap(found)]
                    out.append(
                        [title, training, WAYS[way], *cells, worst, Cell(float(medians.max())), str(len(medians))]
                    )
    headings = ["folds", "trained", "asked by", "gap %, median", "gap %, 95 %", "worst table", "its median", "tables"]
    note = f"{NOTE} Each is the mean over folds, then the median over tables."
    return Table("Gap between the std told and the drawn one", headings, out, note) if out else None


def gaps_by_dataset_table(rows: pd.DataFrame) -> Table | None:
    """The closed form's gap on every data set, random folds."""
    some = asked(rows[rows["group"].isin(BASE) & (rows["split_kind"] == "iid")], "closed_form")
    out: list[Sequence[str | Cell]] = []
    for dataset in datasets_of(some):
        for training in in_table_order(some["training"]):
            found = some[(some["dataset"] == dataset) & (some["training"] == training)]
            if len(found.dropna(subset="gap_median")):
                cells = [Cell(100 * float(found[column].mean())) for column in ("gap_median", "gap_q95")]
                out.append([dataset, training, *cells, str(found["fold"].nunique())])
    headings = ["data set", "trained", "gap %, median", "gap %, 95 %", "folds"]
    return Table("Gap of the closed form, data set by data set", headings, out, NOTE) if out else None
