"""The worst points: expected tail losses over all trained networks, and how large the errors behind them are."""

import itertools
from collections.abc import Sequence
from math import nan

import pandas as pd

from wdrop.report.benchmark.scores import DATASETS, IID, PAPER_METHODS, SHIFTED, TOY_GROUP, TOYS, done, in_order
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.published import published
from wdrop.report.tables import Cell, Table

SPLITS = ("iid", "label", "pca")
IDEAL_ETL = 2.8919
"""2 φ(q)/0.01 with q = Φ⁻¹(0.995): of a standard normal variable."""
_FOLDS = {"mean": "mean-over-110-models", "max": "max-over-110-models"}


def tail_rows(records: pd.DataFrame) -> pd.DataFrame:
    """The test folds that the paper's tail table is made of: toy and other data sets, three splits, one seed.

    `year` is left out: without it the folds are the paper's 110, and more networks would have a larger maximum.
    """
    rows = done(records)
    wanted = [name for name in TOYS + DATASETS if name != "year"]
    rows = rows[
        rows["group"].isin((*IID, *SHIFTED, TOY_GROUP))
        & (rows["variant"] == "")
        & (rows["part"] == "test")
        & rows["dataset"].isin(wanted)
        & rows["split"].isin(SPLITS)
    ]
    if rows.empty or "seed" not in rows:
        return rows
    first = rows.groupby(["dataset", "split", "method"])["seed"].transform("min")
    return rows[rows["seed"] == first]


def tail_losses(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean and maximum of the ETL over folds, a row per split and one of the two, a column per method."""
    if rows.empty or "etl" not in rows:
        return pd.DataFrame(dtype=float)
    table = rows.groupby(["split", "method"])["etl"].agg(["mean", "max"]).unstack("method")
    stacked = pd.DataFrame(table.stack(level=0, future_stack=True))
    places = [(split, kind) for split in SPLITS for kind in ("mean", "max") if (split, kind) in stacked.index]
    index = pd.MultiIndex.from_tuples(places, names=["split", "kind"])
    return stacked.reindex(index=index, columns=in_order(stacked.columns, PAPER_METHODS))


def published_etl(split: str, kind: str, method: str) -> float | None:
    """The paper's value; it has three methods, and the normal law as `ideal-normal`."""
    return published("etl", split, _FOLDS[kind], method, "etl")


def etl_table(records: pd.DataFrame) -> Table | None:
    """Expected tail losses by split against N(0, 1), all methods, the paper's three beside."""
    rows = tail_rows(records)
    losses = tail_losses(rows)
    if losses.empty:
        return None
    methods = [str(method) for method in losses.columns]
    out: list[Sequence[str | Cell]] = []
    for split, kind in losses.index:
        cells = [
            Cell(float(losses.loc[(split, kind), method]), published_etl(split, kind, method)) for method in methods
        ]
        out.append([f"{kind} ETL", split, Cell(IDEAL_ETL, published_etl(split, kind, "ideal-normal")), *cells])
    note = (
        f"Folds: {_folds(rows)} (the paper: 110). "
        "N(0, 1): the exact value, which more points would not change; the paper's maximum is a simulation's. "
        "The maximum is that of our forms, whose variances have a floor."
    )
    headings = ["measure", "split", "N(0, 1)", *(METHOD_LABELS.get(method, method) for method in methods)]
    return Table("Expected tail loss at 99 %", headings, out, note)


def _folds(rows: pd.DataFrame) -> str:
    """How many folds each split has, and which methods have fewer: they do not compare."""
    counts = rows.groupby(["method", "split"]).size().unstack("split")
    most = counts.max()
    text = ", ".join(f"{split} {int(most[split])}" for split in SPLITS if split in most)
    fewer = [label for label in counts.index if (counts.loc[label].fillna(0) < most).any()]
    named = ", ".join(METHOD_LABELS.get(method, method) for method in in_order(fewer, PAPER_METHODS))
    return f"{text}; fewer for {named}" if named else text


def tail_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean absolute error of the worst 1 % and of the rest, means over folds: a row per split and method."""
    if rows.empty or not {"tail_error_worst", "tail_error_rest"} <= set(rows.columns):
        return pd.DataFrame(dtype=float)
    means = rows.groupby(["split", "method"])[["tail_error_worst", "tail_error_rest"]].mean()
    return means.dropna(how="all").reset_index()


def tail_error_table(records: pd.DataFrame) -> Table | None:
    """Absolute errors of the points with the largest normalised residuals, against all others."""
    errors = tail_errors(tail_rows(records))
    if errors.empty:
        return None
    out: list[Sequence[str | Cell]] = []
    for split, method in itertools.product(SPLITS, in_order(errors["method"].unique(), PAPER_METHODS)):
        for _, row in errors[(errors["split"] == split) & (errors["method"] == method)].iterrows():
            worst, rest = float(row["tail_error_worst"]), float(row["tail_error_rest"])
            ratio = worst / rest if rest else nan
            out.append([split, METHOD_LABELS.get(method, method), Cell(worst), Cell(rest), Cell(ratio)])
    note = "Worst: the points whose normalised residual exceeds its 99 % quantile. In standardised units."
    return Table("Mean absolute error of the worst 1 %", ["split", "method", "worst", "rest", "ratio"], out, note)
