"""What a claim is held against: our records, or the paper's own numbers, asked in the same way."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import nan
from types import MappingProxyType
from typing import NamedTuple, final

import numpy as np
import pandas as pd

from wdrop.report.benchmark.facts import seconds_per_fold
from wdrop.report.benchmark.paper import paper_ood, paper_table
from wdrop.report.benchmark.scores import (
    PAPER_MEASURES,
    PAPER_METHODS,
    SHIFTS,
    TOY_GROUP,
    TOYS,
    column_for,
    comparable,
    done,
    in_published_forms,
    main_form,
    on_panel,
    per_dataset,
)
from wdrop.report.benchmark.tails import SPLITS, published_etl, tail_errors, tail_rows
from wdrop.report.claims import NotRunError


class Sweep(NamedTuple):
    """A group of the study that varies one setting, told by the variant; its usual value is run elsewhere."""

    group: str
    method: str
    usual: float


SWEEPS = MappingProxyType(
    {
        "p": Sweep("rate", "w_dropout", 0.1),
        "L": Sweep("draws", "w_dropout", 5),
        "lambda of MC": Sweep("lambda_mc", "mc_dropout", 1e-6),
        "lambda of PU-EV": Sweep("lambda_ev", "pu_evidential", 1e-2),
    }
)
TAIL_METHODS = ("pu_ensemble", "pu_mc", "w_dropout")
"""Those of the paper's table of tails."""
_NUMBER = re.compile(r"\d*\.?\d+(?:[eE][-+]?\d+)?")


class Evidence(ABC):
    """Scores to hold a claim against."""

    @abstractmethod
    def table(self, measure: str, panel: str) -> pd.DataFrame:
        """A row per data set, a column per method of the paper.

        `panel` is one of the figures' six; or "ood", the mean of four; or "train seen by pca-extra", the training
        rows of those folds.
        """

    @abstractmethod
    def tails(self) -> pd.DataFrame:
        """Expected tail losses, a row per split and "mean" or "max", a column per method."""

    def means(self, measure: str, panel: str) -> "pd.Series[float]":
        """Means over data sets, the smallest first."""
        return self.table(measure, panel).mean().sort_values()

    # The paper prints no numbers of these kinds, so only our records have them.

    def all_methods(self, measure: str, panel: str) -> pd.DataFrame:
        """As `table`, with the methods that the paper's tables leave out, and gaps."""
        raise NotRunError

    def toys(self, measure: str) -> pd.DataFrame:
        """Scores on the toy sets, i.i.d. test folds: a row per set, a column per method."""
        raise NotRunError

    def tail_errors(self) -> pd.DataFrame:
        """Mean absolute error of the worst 1 % and of the rest, a row per split and method."""
        raise NotRunError

    def seconds(self) -> pd.DataFrame:
        """Seconds per fold: a row per data set, a column per method."""
        raise NotRunError

    def sweep(self, setting: str, measure: str, panel: str) -> pd.DataFrame:
        """Scores by the value of a setting: a row per data set, a column per value, rising."""
        raise NotRunError

    def folds(self, *columns: str, methods: Sequence[str] = PAPER_METHODS) -> pd.DataFrame:
        """These columns of all folds that were judged, i.i.d. and shifted, each row complete."""
        raise NotRunError


@final
class Ours(Evidence):
    """Our records; `picked` are data sets, some perhaps more than once, which is how claims are tried on others.

    fewest  data sets that a table must have: a sentence on means over fourteen says nothing about one or two
    """

    def __init__(self, records: pd.DataFrame, picked: Sequence[str] | None = None, *, fewest: int = 1) -> None:
        self.records = records
        self.fewest = fewest
        self.rows = main_form(records)
        if {"std_q10", "std_q90"} <= set(self.rows.columns):
            self.rows = self.rows.assign(std_ratio=self.rows["std_q90"] / self.rows["std_q10"].clip(lower=1e-9))
        self.picked = picked
        self._kept: dict[tuple[str, ...], pd.DataFrame] = {}
        self._published: tuple[Ours, Ours] | None = None

    @property
    def datasets(self) -> list[str]:
        """Those with any records."""
        return [str(name) for name in self.rows["dataset"].unique()]

    def on(self, picked: Sequence[str]) -> "Ours":
        """The same records, for these data sets alone."""
        other = object.__new__(Ours)
        other.__dict__ = {**self.__dict__, "picked": picked}  # shares what was computed
        return other

    def in_published_forms(self) -> "tuple[Ours, Ours]":
        """Published forms in place of ours, and ours, both on the data sets, splits and seeds that have both."""
        if self._published is None:
            theirs, ours = in_published_forms(self.records)
            self._published = Ours(theirs, fewest=self.fewest), Ours(ours, fewest=self.fewest)
        return self._published

    def _keep(self, make: Callable[[], pd.DataFrame], *key: str) -> pd.DataFrame:
        """What `make` gives, made once: claims are tried on hundreds of choices of data sets."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _picked(self, table: pd.DataFrame) -> pd.DataFrame:
        if self.picked is not None:
            places = {str(name): place for place, name in enumerate(table.index)}
            table = table.iloc[[places[name] for name in self.picked if name in places]]
        if table.empty:
            raise NotRunError
        return table

    def _enough(self, table: pd.DataFrame) -> pd.DataFrame:
        if len(table) < self.fewest:
            raise NotRunError
        return self._picked(table)

    def table(self, measure: str, panel: str) -> pd.DataFrame:
        return self._enough(self._keep(lambda: self._table(measure, panel), measure, panel))

    def _table(self, measure: str, panel: str) -> pd.DataFrame:
        if panel == "ood":
            tables = [self._table(measure, shift) for shift in SHIFTS]
            return (sum(tables[1:], start=tables[0]) / len(tables)).dropna()
        table = self._all_methods(measure, panel)
        named = [method for method in PAPER_METHODS if method in table]
        return comparable(table[named]) if named else table.head(0)

    def all_methods(self, measure: str, panel: str) -> pd.DataFrame:
        return self._picked(self._keep(lambda: self._all_methods(measure, panel), "all", measure, panel))

    def _all_methods(self, measure: str, panel: str) -> pd.DataFrame:
        return per_dataset(self._on_panel(panel), column_for(self.rows, measure))

    def _on_panel(self, panel: str) -> pd.DataFrame:
        _, _, folds = panel.partition("train seen by ")
        if not folds:
            return on_panel(self.rows, panel)
        split, kind = folds.split("-")
        rows = self.rows
        return rows[(rows["split"] == split) & (rows["split_kind"] == kind) & (rows["part"] == "train")]

    def toys(self, measure: str) -> pd.DataFrame:
        table = self._keep(lambda: self._toys(measure), "toys", measure)
        if table.empty:
            raise NotRunError
        return table

    def _toys(self, measure: str) -> pd.DataFrame:
        rows = done(self.records)
        rows = on_panel(rows[(rows["group"] == TOY_GROUP) & (rows["variant"] == "")], "test")
        return per_dataset(rows, column_for(rows, measure))

    def tails(self) -> pd.DataFrame:
        parts = self._keep(lambda: _tail_parts(tail_rows(self.records)), "tail parts")
        if parts.empty or set(parts.columns.get_level_values("split")) != set(SPLITS):
            raise NotRunError
        if int((~parts.index.isin(TOYS)).sum()) < self.fewest:
            raise NotRunError
        if self.picked is not None:  # the toy sets are always there: the picked ones are the others
            toys = [name for name in TOYS if name in parts.index]
            places = parts.index.get_indexer(pd.Index([*toys, *self.picked]))
            parts = parts.iloc[places[places >= 0]]
        mean = parts["sum"].sum() / parts["count"].sum()
        return pd.concat({"mean": mean, "max": parts["max"].max()}, names=["kind"]).unstack("method").swaplevel()

    def tail_errors(self) -> pd.DataFrame:
        errors = tail_errors(self._tail_rows())
        if errors.empty:
            raise NotRunError
        return errors

    def _tail_rows(self) -> pd.DataFrame:
        rows = self._keep(lambda: tail_rows(self.records), "tail rows")
        if self.picked is None or rows.empty:
            return rows
        toys = rows["dataset"].isin(TOYS)  # they are always there: the picked ones are the other data sets
        return pd.concat([rows[toys], _chosen(rows[~toys], self.picked)])

    def seconds(self) -> pd.DataFrame:
        return self._picked(self._keep(lambda: seconds_per_fold(self.records), "seconds"))

    def sweep(self, setting: str, measure: str, panel: str) -> pd.DataFrame:
        return self._enough(self._keep(lambda: self._sweep(SWEEPS[setting], measure, panel), setting, measure, panel))

    def _sweep(self, sweep: Sweep, measure: str, panel: str) -> pd.DataFrame:
        varied = done(self.records)
        varied = varied[varied["group"] == sweep.group]
        if varied.empty:
            return varied
        varied = varied.assign(value=varied["variant"].map(_number))
        usual = self.rows[(self.rows["method"] == sweep.method) & self.rows["seed"].isin(varied["seed"])]
        usual = usual.assign(value=sweep.usual)
        rows = on_panel(pd.concat([varied, usual]), panel)
        table = rows.pivot_table(index="dataset", columns="value", values=column_for(rows, measure)).dropna()
        return table.sort_index(axis="columns")

    def folds(self, *columns: str, methods: Sequence[str] = PAPER_METHODS) -> pd.DataFrame:
        rows = self._keep(lambda: self._folds(columns, methods), "folds", *columns, *methods)
        if self.picked is not None and not rows.empty:
            rows = _chosen(rows, self.picked)
        if rows.empty:
            raise NotRunError
        return rows[list(columns)]

    def _folds(self, columns: Sequence[str], methods: Sequence[str]) -> pd.DataFrame:
        rows = self.rows[(self.rows["part"] == "test") & self.rows["method"].isin(methods)]
        return rows[["dataset", *columns]].dropna() if set(columns) <= set(rows.columns) else rows.head(0)


def _tail_parts(rows: pd.DataFrame) -> pd.DataFrame:
    """Sum, count and maximum of the ETL: a row per data set; these add up over any choice of them."""
    if rows.empty or "etl" not in rows:
        return pd.DataFrame(dtype=float)
    by = rows.dropna(subset="etl").groupby(["dataset", "split", "method"])["etl"]
    parts = pd.DataFrame(by.agg(["sum", "count", "max"]).unstack(["split", "method"]))
    judged = parts.columns[parts.columns.get_level_values("method").isin(TAIL_METHODS)]
    return parts.dropna(subset=judged)  # means over different data sets do not compare


def _chosen(rows: pd.DataFrame, datasets: Sequence[str]) -> pd.DataFrame:
    """The rows of these data sets, as often as each is named."""
    places = rows.groupby("dataset").indices
    chosen = [places[name] for name in datasets if name in places]
    return rows.iloc[np.concatenate(chosen)] if chosen else rows.head(0)


@final
class Paper(Evidence):
    """The paper's own numbers: single data sets in-data, one mean under shift, and the tails of three methods."""

    def __init__(self, datasets: Sequence[str], methods: Sequence[str] = PAPER_METHODS) -> None:
        self.datasets = list(datasets)
        self.methods = list(methods)

    def table(self, measure: str, panel: str) -> pd.DataFrame:
        if measure not in PAPER_MEASURES or panel not in ("test", "ood") or not self.datasets:
            raise NotRunError
        table = paper_ood(measure) if panel == "ood" else paper_table(measure).loc[self.datasets]
        return table[self.methods]

    def tails(self) -> pd.DataFrame:
        places = [(split, kind) for split in SPLITS for kind in ("mean", "max")]
        values = {
            method: [published_etl(split, kind, method) or np.nan for split, kind in places] for method in TAIL_METHODS
        }
        return pd.DataFrame(values, index=pd.MultiIndex.from_tuples(places, names=["split", "kind"]))


def _number(variant: str) -> float:
    """The last number in a variant's name: "0.05" and "p = 0.05" alike; NaN if it has none."""
    found = _NUMBER.findall(variant)
    return float(found[-1]) if found else nan
