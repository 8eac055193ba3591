"""The six circumstances under which the paper judges a method, and its scores in each."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import pandas as pd

from wdrop._checks import known
from wdrop.measures import MEASURES
from wdrop.report.benchmark.scores import PANELS, in_order
from wdrop.report.figures import METHOD_LABELS


@final
@dataclass(frozen=True)
class Circumstance:
    """Rows of one split, kind and part, with the title and colour that figures give them."""

    title: str
    split: str
    kind: str
    part: str
    colour: str


# Colours after Okabe and Ito: told apart by everyone, and the two outermost chunks are the two warmest.
CIRCUMSTANCES: MappingProxyType[str, Circumstance] = MappingProxyType(
    {
        "train": Circumstance("train", *PANELS["train"], "#009e73"),
        "test": Circumstance("test", *PANELS["test"], "#0072b2"),
        "label-extra": Circumstance("label, extrapolate", *PANELS["label-extra"], "#d55e00"),
        "label-inter": Circumstance("label, interpolate", *PANELS["label-inter"], "#cc79a7"),
        "pca-extra": Circumstance("PCA, extrapolate", *PANELS["pca-extra"], "#e69f00"),
        "pca-inter": Circumstance("PCA, interpolate", *PANELS["pca-inter"], "#56b4e9"),
    }
)

_AS_IN_THE_PAPER = (
    "swag", "deep_ensemble", "pu", "pu_evidential", "pu_ensemble", "pu_mc", "concrete_dropout", "mc_dropout",
    "mc_dropout_last_layer", "w_dropout",
)  # fmt: skip


def methods_in_order(methods: Iterable[str]) -> list[str]:
    """The methods as the paper's figures line them up, then those it does not have; each once."""
    return in_order(sorted(set(methods)), tuple(dict.fromkeys([*_AS_IN_THE_PAPER, *METHOD_LABELS])))


def with_circumstance(records: pd.DataFrame) -> pd.DataFrame:
    """The finished rows that belong to one of the six, with its name in the column `circumstance`."""
    rows = records if "status" not in records else records[records["status"] == "done"]
    # "iid" fits no shift: a label split without its kind is left out
    kind = _text(rows, "split_kind").replace("", "iid")
    place = pd.Series(list(zip(rows["split"], kind, rows["part"], strict=True)), rows.index, dtype=object)
    names = {(some.split, some.kind, some.part): name for name, some in CIRCUMSTANCES.items()}
    named = rows.assign(circumstance=place.map(names), variant=_text(rows, "variant"))
    return named.dropna(subset="circumstance")


def _text(rows: pd.DataFrame, column: str) -> "pd.Series[str]":
    """The column as text, "" where it is empty: a csv gives an empty column back as numbers."""
    if column not in rows:
        return pd.Series("", rows.index, dtype=object)
    return rows[column].astype(object).where(rows[column].notna(), "").astype(str)


def over_folds(rows: pd.DataFrame, column: str, measure: str) -> pd.DataFrame:
    """Mean of the measure over folds and seeds: one row per `column`, circumstance and data set.

    What is absent or infinite is left out, and its data set with it where nothing else is there. A measure that was
    not recorded gives no rows; one that nobody knows is refused.
    """
    if measure not in rows:
        known("measure", measure, MEASURES)
        return pd.DataFrame({column: [], "circumstance": [], "dataset": [], measure: []})
    finite = rows[rows[measure].abs() < float("inf")]
    return finite.groupby([column, "circumstance", "dataset"], sort=False)[[measure]].mean().reset_index()
