"""The records of a measurement: one row of a csv file for each job, written as soon as it is done."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from benchmarks.peers.plan import Key

COLUMNS = (
    *Key._fields, "version", "epochs", "epochs_measured", "first_use_seconds", "fit_seconds", "predict_seconds",
    "peak_megabytes", "model_bytes", "rmse", "nll", "ece", "ws", "error",
)  # fmt: skip


def done(path: Path) -> set[Key]:
    """The jobs that need not be run again; those that failed are tried again."""
    if not path.exists():
        return set()
    with path.open(newline="", encoding="utf-8") as file:
        return {_key(row) for row in csv.DictReader(file) if not row["error"]}


def _key(row: Mapping[str, str]) -> Key:
    return Key(row["contender"], row["method"], row["problem"], int(row["width"]), int(row["repeat"]))


def append(path: Path, key: Key, values: Mapping[str, Any]) -> None:
    """Write one more row; a row of the same job that failed before is dropped."""
    rows: list[Mapping[str, Any]] = []
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if _key(row) != key]
    _write(path, [*rows, {**key._asdict(), **values}])


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".part")
    with whole.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _short(value) for name, value in row.items()} for row in rows)
    whole.replace(path)


def _short(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def read(path: Path) -> pd.DataFrame:
    """All rows, numbers as numbers; a text that is not there is empty."""
    return pd.read_csv(path, dtype={"error": "str"}).fillna({"error": ""})


def medians(records: pd.DataFrame) -> pd.DataFrame:
    """One row for each contender, method, problem and width: medians over repeats, and how many there were.

    `extrapolated` says that some of it was measured on fewer epochs than asked for.
    """
    good = records[records["error"] == ""]
    good = good.assign(extrapolated=good["epochs_measured"] < good["epochs"])
    names = ["contender", "method", "problem", "width"]
    groups = good.groupby(names, sort=False)
    numbers = groups[list(COLUMNS[COLUMNS.index("first_use_seconds") : COLUMNS.index("error")])].median()
    return numbers.assign(repeats=groups.size(), extrapolated=groups["extrapolated"].any()).reset_index()
