"""Which rows of the study count where, and their means over folds."""

from collections.abc import Sequence

import pandas as pd

from wdrop.report.benchmark.scores import DATASETS, SHIFTS, done, floor_of, in_order, on_panel

TABLES = tuple(name for name in DATASETS if name not in ("superconduct", "protein", "year"))
"""The eleven of the study, in the paper's order."""
W_FAMILY = ("w_dropout", "w_dropout_closed", "w_dropout_last_layer")
METHOD_ORDER = (*W_FAMILY, "mc_dropout", "deep_ensemble", "pu", "pu_ensemble", "pu_mc")
CHOOSE, CONFIRM = ("choose", "choose_shift"), ("confirm", "confirm_shift")
CUTS = ("choose_cut", "confirm_cut")
"""The names that the study gives its groups; which tables choose and which confirm is written in its plan alone."""
SHOWN = ("rmse", "nll", "ece", "ws", "etl", "crps", "coverage")
"""The measures of its tables."""

_CELL = ["method", "dataset", "way"]


def judged(records: pd.DataFrame) -> pd.DataFrame:
    """The rows of test points, of all groups, that have a way."""
    rows = done(records)
    if "way" not in rows:
        return rows.assign(way="").head(0)
    rows = rows.assign(way=rows["way"].fillna("").astype(str))
    return rows[(rows["part"] == "test") & (rows["way"] != "")]


def choosing(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the tables on which a calibration is chosen."""
    return rows[rows["group"].isin(CHOOSE)]


def confirming(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the tables on which the choice is confirmed."""
    return rows[rows["group"].isin(CONFIRM)]


def main_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Both halves: all but the groups about the cut of inner folds."""
    return rows[rows["group"].isin(CHOOSE + CONFIRM)]


def is_ensemble(way: str) -> bool:
    """Whether the inner networks predict."""
    return way.startswith("ensemble ")


def is_raw(way: str) -> bool:
    """Whether nothing is calibrated."""
    return way.rpartition(" ")[2] == "raw"


def iid_scores(rows: pd.DataFrame, measures: Sequence[str] = SHOWN) -> pd.DataFrame:
    """Means over random folds and seeds: a row for each method, data set and way, a column for each measure."""
    return _means(on_panel(rows, "test"), measures)


def shifted_scores(rows: pd.DataFrame, measures: Sequence[str] = SHOWN) -> pd.DataFrame:
    """Means over the four shifts (label or PCA, extrapolate or interpolate), for what was run under all four."""
    panels = [_means(on_panel(rows, panel), measures) for panel in SHIFTS]
    common = panels[0].index
    for panel in panels[1:]:
        common = common.intersection(panel.index, sort=False)
    total = panels[0].reindex(common)
    for panel in panels[1:]:
        total = total + panel.reindex(common)
    return total / len(panels)


def _means(rows: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    return rows.groupby(_CELL, sort=False)[list(measures)].mean()


def floors(rows: pd.DataFrame, datasets: Sequence[str], measures: Sequence[str] = SHOWN) -> dict[str, float]:
    """What a perfect forecaster scores on test sets of these sizes: means over data sets, NaN where data decide."""
    sets = [rows[rows["dataset"] == dataset] for dataset in datasets]
    return {name: sum(floor_of(some, name) for some in sets) / len(sets) if sets else float("nan") for name in measures}


def methods_in(scores: pd.DataFrame) -> list[str]:
    """The methods of such means, in the order of our tables."""
    return in_order(scores.index.get_level_values("method").unique(), METHOD_ORDER)


def datasets_in(scores: pd.DataFrame) -> list[str]:
    """The data sets of such means, in the paper's order."""
    return in_order(scores.index.get_level_values("dataset").unique(), TABLES)
