"""Go on from a `records.csv`, such as those in `results/`: the runs recorded there count as done."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from wdrop.study.plan import Run, Study
from wdrop.study.run import Outcome
from wdrop.study.store import Store, identity


def read_records(path: Path) -> pd.DataFrame:
    """The table in a `records.csv`."""
    try:
        # a variant "0.05" is a name, not a number
        table = pd.read_csv(path, dtype={"variant": str, "error": str}, low_memory=False, float_precision="round_trip")
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{path}: not a table of records: {error}") from None
    missing = {"key", "status", "fold", "part", "seconds"} - set(table.columns)
    if missing:
        raise ValueError(f"{path}: not a table of records: it has no column {', '.join(sorted(missing))}")
    return table


def adopt(study: Study, store: Store, records: Path) -> int:
    """Take the runs of the study that are done in this table and not in the store; how many they were.

    The table has measures and no predictions: figures that need them have to do without. A run that differs from the
    plan in anything has another key and is left alone.
    """
    table = read_records(records)
    done = table[table["status"] == "done"]
    by_key = dict(list(done.groupby("key")))
    n_adopted = 0
    for run in study.runs:
        if run.key in by_key and not store.has(run):
            store.add(run, Outcome(_rows(run, by_key[run.key]), {}))
            n_adopted += 1
    return n_adopted


def _rows(run: Run, table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as a run leaves them: without what names the run, without columns that other runs needed."""
    own = table.drop(columns=[name for name in identity(run) if name in table])
    rows: list[Mapping[str, Any]] = json.loads(own.to_json(orient="records"))
    return [{"error": "", **{k: v for k, v in row.items() if v is not None}} for row in rows]
