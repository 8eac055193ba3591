"""What a sentence on detectors is held against: our records, or the paper's numbers in the same shape."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from wdrop.detect.scores.evaluation import COORDINATES
from wdrop.report.benchmark.scores import column_for
from wdrop.report.claims import NotRunError
from wdrop.report.detection.rows import ALL, CLEAN, PUBLISHED_PROTOCOL, UNCERTAINTY, Contestant, judged

MC, W = "mc", "wasserstein"
_SETS = ("kitti", "synscapes", "a2d2", "nightowls", "nuimages", "bdd100k")


def pairs(
    records: pd.DataFrame,
    measure: str,
    *,
    part: str = "test",
    corruption: str | None = CLEAN,
    coordinate: str = ALL,
    protocol: str = PUBLISHED_PROTOCOL,
) -> pd.DataFrame:
    """Means over seeds: a row for each data set of training, of test and corruption, a column for MC and for W.

    Only those that both have; NotRunError if there are none. ECE is rounded as the paper's is.
    """
    rows = judged(records, protocol=protocol, part=part, corruption=corruption, coordinate=coordinate)
    rows = _two(rows)
    if rows.empty or measure not in rows:
        raise NotRunError
    column = column_for(rows, measure)
    table = rows.pivot_table(index=["dataset", "tested_on", "corruption"], columns="method", values=column)
    return _complete(table)


def along(records: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Scores along the training, means over seeds: a row for each data set and step, a column for MC and for W."""
    rows = _two(records[records["part"] == "along"])
    if rows.empty:
        raise NotRunError
    return _complete(rows.pivot_table(index=["dataset", "step"], columns="method", values=measure))


def own(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of detectors that were tested on the data set of their training."""
    return _some(table, table.index.get_level_values("dataset") == table.index.get_level_values("tested_on"))


def foreign(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of detectors that were tested on another one."""
    return _some(table, table.index.get_level_values("dataset") != table.index.get_level_values("tested_on"))


def paper_records() -> pd.DataFrame:
    """The paper's tables of detectors as records: KITTI's coordinates, and the ECE on corrupted pictures."""
    return pd.DataFrame([*_kitti(), *_corrupted()])


def _two(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["method"].isin([MC, W]) & (rows["variant"].fillna("") == "")]


def _complete(table: pd.DataFrame) -> pd.DataFrame:
    if not {MC, W} <= set(table.columns):
        raise NotRunError
    return _some(table, table[[MC, W]].notna().all(axis=1).to_numpy())


def _some(table: pd.DataFrame, which: Any) -> pd.DataFrame:
    if not any(which):
        raise NotRunError
    return table[which]


def _kitti() -> Iterator[dict[str, Any]]:
    for method in (MC, W):
        for part in ("train", "test"):
            for coordinate in (*COORDINATES, ALL):
                scores = {name: _printed(part, "kitti", method, name, coordinate) for name in UNCERTAINTY}
                if coordinate == ALL:
                    scores |= {name: _printed(part, "kitti", method, name) for name in ("miou", "rmse")}
                yield {**_row(method, "kitti", CLEAN), "part": part, "coordinate": coordinate, **scores}


def _corrupted() -> Iterator[dict[str, Any]]:
    for name in _SETS:
        for corruption in ("defocus-blur", "gaussian-noise"):
            for method in (MC, W):
                yield {**_row(method, name, f"{corruption} 1"), "ece": _printed(corruption, name, method, "ece")}


def _row(method: str, name: str, corruption: str) -> dict[str, Any]:
    return {
        "status": "done", "method": method, "variant": "", "seed": 0, "dataset": name, "tested_on": name,
        "part": "test", "corruption": corruption, "protocol": PUBLISHED_PROTOCOL, "coordinate": ALL,
    }  # fmt: skip


def _printed(split: str, name: str, method: str, measure: str, coordinate: str = ALL) -> float | None:
    return Contestant(method).published(split, name, measure if coordinate == ALL else f"{measure}_{coordinate}")
