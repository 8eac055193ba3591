"""Means over data sets: on i.i.d. test folds, under shift, and each panel of the paper's figures by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import final

import numpy as np
import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.paper import paper_ood, paper_table
from wdrop.report.benchmark.scores import (
    PANELS,
    PAPER_MEASURES,
    SHIFTS,
    bootstrap_interval,
    column_for,
    comparable,
    floor_of,
    main_form,
    on_panel,
    per_dataset,
)
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.lowest import lowest_of
from wdrop.report.tables import Cell, Table, number

_MEASURES = (*PAPER_MEASURES, "crps", "coverage")


@final
@dataclass(frozen=True)
class Summary:
    """Scores over the data sets that all methods have, for one place.

    tables     by measure: a row per data set, a column per method
    published  by measure: the paper's means over the same data sets, where it has them
    floors     by measure: means over the data sets of what a perfect forecaster scores there
    """

    tables: Mapping[str, pd.DataFrame]
    published: Mapping[str, "pd.Series[float]"]
    floors: Mapping[str, float]

    @property
    def methods(self) -> list[str]:
        return [str(method) for method in self.tables["rmse"].columns]

    @property
    def datasets(self) -> list[str]:
        return [str(dataset) for dataset in self.tables["rmse"].index]


def in_data(records: pd.DataFrame) -> Summary | None:
    """The i.i.d. test folds; None if there is no data set that all methods have."""
    rows = on_panel(main_form(records), "test")
    tables = _tables({"test": rows})
    if tables is None:
        return None
    published = {name: paper_table(name).loc[tables["rmse"].index].mean() for name in PAPER_MEASURES}
    return Summary(tables, published, _floors({"test": rows}, tables))


def out_of_data(records: pd.DataFrame) -> Summary | None:
    """The mean of the four shifts, for the data sets that have all four; the paper's means are over its 14."""
    rows = main_form(records)
    panels = {panel: on_panel(rows, panel) for panel in SHIFTS}
    tables = _tables(panels)
    if tables is None:
        return None
    published = {name: paper_ood(name).mean() for name in PAPER_MEASURES}
    return Summary(tables, published, _floors(panels, tables))


def _tables(panels: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame] | None:
    """By measure, the mean over the panels, cut to data sets and methods that are complete everywhere."""
    rmse = comparable(_mean_of([per_dataset(rows, "rmse") for rows in panels.values()]))
    if rmse.empty:
        return None
    out = {}
    for name in _MEASURES:
        found = _mean_of([per_dataset(rows, column_for(rows, name)) for rows in panels.values()])
        out[name] = found.reindex(index=rmse.index, columns=rmse.columns)
    return out


def _mean_of(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The mean, entry by entry; NaN where one of the tables has none."""
    total = tables[0]
    for table in tables[1:]:
        total = total.add(table)
    # adding sorts the names; the first table has them in the paper's order
    return (total / len(tables)).reindex(index=tables[0].index, columns=tables[0].columns)


def _floors(panels: Mapping[str, pd.DataFrame], tables: Mapping[str, pd.DataFrame]) -> dict[str, float]:
    """The mean over data sets and panels, as the scores are."""
    sets = [rows[rows["dataset"] == dataset] for rows in panels.values() for dataset in tables["rmse"].index]
    return {name: float(np.mean([floor_of(some, column_for(some, name)) for some in sets])) for name in _MEASURES}


def summary_table(summary: Summary, title: str, note: str) -> Table:
    """Mean of each measure over the data sets, a row per method and one for the perfect forecaster."""
    rows: list[Sequence[str | Cell]] = [
        [METHOD_LABELS.get(method, method), *(_mean(summary, name, method) for name in _MEASURES)]
        for method in summary.methods
    ]
    perfect: list[str | Cell] = ["perfect forecaster", *(Cell(summary.floors[name]) for name in _MEASURES)]
    told = f"{len(summary.datasets)} data sets: {', '.join(summary.datasets)}. {note}"
    headings = ["method", *(MEASURES[name].heading for name in _MEASURES)]
    return Table(title, headings, rows, told, [perfect], lowest_of(_MEASURES))


def _mean(summary: Summary, measure: str, method: str) -> Cell:
    published = summary.published.get(measure, pd.Series(dtype=float)).get(method, nan)
    return Cell(float(summary.tables[measure][method].mean()), None if np.isnan(published) else float(published))


def in_data_table(records: pd.DataFrame) -> Table | None:
    """Means over data sets on i.i.d. test folds, the paper's beside."""
    found = in_data(records)
    note = "In brackets the paper's mean over the same data sets. ECE is rounded as the paper's is."
    return None if found is None else summary_table(found, "In-data: means over data sets", note)


def out_of_data_table(records: pd.DataFrame) -> Table | None:
    """Means over shifts and data sets, the paper's beside."""
    found = out_of_data(records)
    note = (
        "Mean over label and PCA splits, interpolation and extrapolation. In brackets the paper's mean over its 14 "
        "data sets; it does not print them one by one. ECE is rounded as the paper's is."
    )
    return None if found is None else summary_table(found, "Under shift: means over data sets", note)


def medians_table(records: pd.DataFrame, shifted: bool = False) -> Table | None:
    """Median and quartiles over data sets: one wild data set moves a mean, not these."""
    found = out_of_data(records) if shifted else in_data(records)
    if found is None:
        return None
    headings = ["method", *(f"{MEASURES[name].heading}{part}" for name in _MEASURES for part in ("", " 25 %", " 75 %"))]
    wanted = [(name, quantile) for name in _MEASURES for quantile in (0.5, 0.25, 0.75)]
    rows: list[Sequence[str | Cell]] = [
        [METHOD_LABELS.get(method, method), *(_quantile(found, name, method, quantile) for name, quantile in wanted)]
        for method in found.methods
    ]
    title = f"{_place(shifted)}: medians and quartiles over data sets"
    return Table(title, headings, rows, f"{len(found.datasets)} data sets.")


def _quantile(found: Summary, measure: str, method: str, quantile: float) -> Cell:
    return Cell(float(found.tables[measure][method].quantile(quantile)))


def confidence_table(records: pd.DataFrame, shifted: bool = False) -> Table | None:
    """Bootstrap intervals (95 %) of the means, data sets drawn anew: would other data sets tell the same?"""
    found = out_of_data(records) if shifted else in_data(records)
    if found is None:
        return None
    rows = [
        [METHOD_LABELS.get(method, method), *(_interval(found.tables[name][method]) for name in _MEASURES)]
        for method in found.methods
    ]
    title = f"{_place(shifted)}: 95 % intervals of the means"
    note = f"Bootstrap over {len(found.datasets)} data sets, 2000 times."
    return Table(title, ["method", *(MEASURES[name].heading for name in _MEASURES)], rows, note)


def _interval(values: "pd.Series[float]") -> str:
    low, high = bootstrap_interval(np.asarray(values.dropna(), dtype=np.float64))
    return "–" if np.isnan(low) else f"[{number(low)}, {number(high)}]"


def _place(shifted: bool) -> str:
    return "Under shift" if shifted else "In-data"


def panels_table(records: pd.DataFrame, measure: str) -> Table | None:
    """One measure in the six panels of the paper's figures: means over the data sets that all methods have."""
    rows = main_form(records)
    tables = {panel: comparable(per_dataset(on_panel(rows, panel), column_for(rows, measure))) for panel in PANELS}
    tables = {panel: table for panel, table in tables.items() if not table.empty}
    if not tables:
        return None
    methods = list(dict.fromkeys(str(method) for table in tables.values() for method in table.columns))
    means = {panel: table.mean() for panel, table in tables.items()}
    out: list[Sequence[str | Cell]] = [
        [METHOD_LABELS.get(method, method), *(Cell(float(found.get(method, nan))) for found in means.values())]
        for method in methods
    ]
    heading = MEASURES[measure].heading
    sizes = ", ".join(f"{panel} {len(table)}" for panel, table in tables.items())
    note = f"Means over data sets: {sizes}."
    return Table(f"{heading} in each panel", ["method", *tables], out, note, lowest=list(tables))
