"""Whose networks, asked how: the records of the study, with names that its tables print."""

import re
from collections.abc import Iterable
from types import MappingProxyType

import pandas as pd

from wdrop.report.benchmark.scores import DATASETS, TOYS, done, in_order
from wdrop.report.figures import METHOD_COLOURS, METHOD_TITLES

TRUTH = "10000 draws"
WAYS = MappingProxyType(
    {
        TRUTH: "10,000 draws",
        "200 draws": "200 draws",
        "closed_form": "closed form",
        "linearised": "linearised",
        "diagonal": "diagonal",
    }
)
"""How a network is asked, in the order of the tables; the first is what the others are held against."""

SAMPLED, SAMPLED_MORE = "sampled, L = 5", "sampled, L = 9"
CLOSED, HALF_DRAWN, LAST_LAYER = "closed form", "closed form, half drawn", "last layer"
TRAININGS = MappingProxyType(
    {
        ("w_dropout", "L=5"): SAMPLED,
        ("w_dropout", "L=9"): SAMPLED_MORE,
        ("w_dropout_closed", ""): CLOSED,
        ("w_dropout_closed", "half drawn"): HALF_DRAWN,
        ("w_dropout_last_layer", ""): LAST_LAYER,
    }
)
"""Method and variant → how the networks were trained, in the order of the tables."""
ONE_PASS = (CLOSED, HALF_DRAWN, LAST_LAYER)
"""The trainings whose method predicts in closed form; the others draw."""

COLOURS = MappingProxyType(
    {
        SAMPLED: METHOD_COLOURS["w_dropout"],
        SAMPLED_MORE: "#e8906a",
        CLOSED: METHOD_COLOURS["w_dropout_closed"],
        HALF_DRAWN: "#1c7ed6",
        LAST_LAYER: METHOD_COLOURS["w_dropout_last_layer"],
    }
)

BASE = ("toys", "small", "large", "small_shift", "large_shift")
"""The groups with usual settings. Those that vary one are called after it: "p=0.3", "depth=4", "toys depth=4"."""


def study_rows(records: pd.DataFrame) -> pd.DataFrame:
    """The tested rows that ended well, with `training`, and `setting` and `value` where a group varies one."""
    rows = done(records)
    rows = rows[rows["part"] == "test"].copy()
    rows["way"] = rows["way"].fillna("").astype(str) if "way" in rows else ""
    for name in ("gap_median", "gap_q95"):
        rows[name] = rows[name] if name in rows else float("nan")
    rows["training"] = [_training(m, v) for m, v in zip(rows["method"], rows["variant"], strict=True)]
    varied = [_varied(group) for group in rows["group"]]
    rows["setting"] = [name for name, _ in varied]
    rows["value"] = [value for _, value in varied]
    return rows


def on_tables(rows: pd.DataFrame, kind: str = "iid") -> pd.DataFrame:
    """Usual settings on real tables, one kind of fold: "iid", "inter" or "extra"."""
    usual = rows["group"].isin(BASE) & ~rows["dataset"].isin(TOYS)
    return rows[usual & (rows["split_kind"] == kind)]


def asked(rows: pd.DataFrame, way: str) -> pd.DataFrame:
    """The rows of one way."""
    return rows[rows["way"] == way]


def own_way(training: str) -> str:
    """How the method itself asks its networks."""
    return "closed_form" if training in ONE_PASS else "200 draws"


def in_table_order(names: Iterable[str]) -> list[str]:
    """Trainings as the tables list them, others behind."""
    return in_order(list(dict.fromkeys(names)), tuple(TRAININGS.values()))


def datasets_of(rows: pd.DataFrame) -> list[str]:
    """Its data sets, toys first, then in the paper's order."""
    return in_order(sorted(set(rows["dataset"])), TOYS + DATASETS)


def _training(method: str, variant: str) -> str:
    fallback = METHOD_TITLES.get(method, method) + (f", {variant}" if variant else "")
    return TRAININGS.get((method, variant), fallback)


def _varied(group: str) -> tuple[str, float]:
    found = re.fullmatch(r"(?:toys )?(p|depth|width)=([0-9.]+)", group)
    return (found[1], float(found[2])) if found else ("", float("nan"))
