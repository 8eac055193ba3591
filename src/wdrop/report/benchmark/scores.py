"""From records to scores: which rows count where, means over folds and seeds, and how far to trust them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from types import MappingProxyType
from typing import Any, final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wdrop._checks import known
from wdrop.measures.floor import floor

PAPER_METHODS = (
    "swag", "deep_ensemble", "pu", "pu_evidential", "pu_ensemble", "pu_mc", "concrete_dropout", "mc_dropout",
    "w_dropout",
)  # fmt: skip
"""In the order of the paper's tables."""
PARAMETRIC = ("pu", "pu_evidential", "pu_ensemble", "pu_mc")
SMALL = ("yacht", "diabetes", "boston", "energy", "concrete", "wine-red")
LARGE = ("abalone", "kin8nm", "power", "naval", "california", "superconduct", "protein", "year")
DATASETS = SMALL + LARGE
TOYS = ("toy-hf", "toy-noise")
PAPER_MEASURES = ("rmse", "nll", "ece", "ws")

IID = ("small", "large")
SHIFTED = ("small_shift", "large_shift")
PUBLISHED_GROUP, TOY_GROUP = "published", "toys"
PUBLISHED_FORM = "as published"
"""The names that the study gives its groups and its published forms."""

PANELS = MappingProxyType(
    {
        "train": ("iid", "iid", "train"),
        "test": ("iid", "iid", "test"),
        "label-extra": ("label", "extra", "test"),
        "label-inter": ("label", "inter", "test"),
        "pca-extra": ("pca", "extra", "test"),
        "pca-inter": ("pca", "inter", "test"),
    }
)
"""The six panels of the paper's figures: split, kind of fold, part."""
SHIFTS = ("label-extra", "label-inter", "pca-extra", "pca-inter")

_TEXTS = ("status", "group", "dataset", "split", "split_kind", "method", "variant", "part")
_WITH_FLOOR = ("ece", "ws", "ks", "etl", "coverage")


def done(records: pd.DataFrame) -> pd.DataFrame:
    """The rows of runs that ended well, texts without gaps (an empty variant comes back from CSV as NaN)."""
    rows = records.copy()
    for name in _TEXTS:
        rows[name] = rows[name].fillna("").astype(str) if name in rows else ""
    rows.loc[(rows["split_kind"] == "") & (rows["split"] == "iid"), "split_kind"] = "iid"
    return rows[rows["status"].isin(["done", ""])]


def main_form(records: pd.DataFrame) -> pd.DataFrame:
    """The rows of each method's default form on the 14 data sets, i.i.d. and shifted."""
    rows = done(records)
    return rows[rows["group"].isin(IID + SHIFTED) & (rows["variant"] == "") & rows["dataset"].isin(DATASETS)]


def as_published(records: pd.DataFrame) -> pd.DataFrame:
    """The rows of the runs with `as_published=True`, where that differs from the default."""
    rows = done(records)
    return rows[(rows["group"] == PUBLISHED_GROUP) & (rows["variant"] == PUBLISHED_FORM)]


def published_form(records: pd.DataFrame) -> pd.DataFrame:
    """The rows of the forms that made the paper's numbers, where they differ from ours.

    Not CON-MC's: its `as_published` is what the paper's text says; the code behind the numbers has our default.
    """
    rows = as_published(records)
    return rows[rows["method"] != "concrete_dropout"]


def in_published_forms(records: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Published forms in place of ours, and ours, both on the data sets, splits and seeds that have both.

    Neither has the runs that vary a setting: these are of our forms alone.
    """
    rows, theirs = done(records), published_form(records)
    rows = rows[rows["group"].isin((*IID, *SHIFTED, TOY_GROUP)) & (rows["variant"] == "")]
    place = ["dataset", "split", "seed"]
    rows = rows[pd.MultiIndex.from_frame(rows[place]).isin(pd.MultiIndex.from_frame(theirs[place]))]
    of_both = rows["method"].isin(theirs["method"])
    kind = np.where(theirs["dataset"].isin(TOYS), TOY_GROUP, np.where(theirs["split"] == "iid", IID[0], SHIFTED[0]))
    return pd.concat([rows[~of_both], theirs.assign(group=kind, variant="")]), rows


def on_panel(rows: pd.DataFrame, panel: str) -> pd.DataFrame:
    """The rows that a panel of the paper's figures shows."""
    known("panel", panel, PANELS)
    split, kind, part = PANELS[panel]
    return rows[(rows["split"] == split) & (rows["split_kind"] == kind) & (rows["part"] == part)]


def column_for(rows: pd.DataFrame, measure: str) -> str:
    """The column to hold against the paper: its ECE rounds first, so ours does there too."""
    return "ece_rounded" if measure == "ece" and "ece_rounded" in rows else measure


def per_dataset(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Means over folds and seeds: a row per data set, a column per method, in the paper's order."""
    if rows.empty or column not in rows:
        return pd.DataFrame(dtype=float)
    table = rows.pivot_table(index="dataset", columns="method", values=column, aggfunc="mean", dropna=False)
    return table.loc[in_order(table.index, TOYS + DATASETS), in_order(table.columns, PAPER_METHODS)]


def in_order(names: Any, order: Sequence[str]) -> list[str]:
    """The names, first those of `order` in its order, then the others as they come."""
    present = [str(name) for name in names]
    return [name for name in order if name in present] + [name for name in present if name not in order]


def comparable(table: pd.DataFrame) -> pd.DataFrame:
    """The data sets that all methods of the paper (as far as any was run) have, and the methods that have them all.

    Means over different data sets do not compare; another method that misses some is left out instead.
    """
    papers = [method for method in PAPER_METHODS if method in table.columns]
    rows = table.dropna(subset=papers) if papers else table
    return rows.dropna(axis="columns") if len(rows) else rows


@final
@dataclass(frozen=True)
class Score:
    """A mean over folds and seeds, its standard error (NaN for a single value), and how many values it has."""

    mean: float
    median: float
    error: float
    n: int

    @property
    def spread(self) -> float:
        """The standard deviation over folds and seeds."""
        return self.error * sqrt(self.n)


def score(rows: pd.DataFrame, column: str) -> Score:
    """The score of some folds; values that do not exist (an ETL without a tail) are left out, as the paper does."""
    values = rows[column].dropna().to_numpy(dtype=float) if column in rows else np.array([])
    if not len(values):
        return Score(nan, nan, nan, 0)
    error = float(values.std(ddof=1) / sqrt(len(values))) if len(values) > 1 else nan
    return Score(float(values.mean()), float(np.median(values)), error, len(values))


def bootstrap_interval(
    values: NDArray[np.float64], level: float = 0.95, n_resamples: int = 2000
) -> tuple[float, float]:
    """A percentile interval of the mean, values drawn anew from a fixed seed; NaN for fewer than two."""
    if len(values) < 2:
        return nan, nan
    drawn = np.random.default_rng(0).choice(values, (n_resamples, len(values))).mean(1)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def floor_of(rows: pd.DataFrame, column: str) -> float:
    """What a perfect forecaster scores on test sets of these sizes; NaN where that depends on the data."""
    size, measure = "n_test" if "n_test" in rows else "n_judged", column.removesuffix("_rounded")
    if measure not in _WITH_FLOOR or size not in rows or rows.empty:
        return nan
    sizes = rows[size].dropna().astype(int).value_counts()
    floors = [floor(measure, int(n), rounded=measure != column) for n in sizes.index]
    return float(np.average(floors, weights=sizes.to_numpy()))
