"""Go on from a `records.csv`, such as those in `results/`: the runs recorded there count as done."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, final

import pandas as pd

from wdrop.study.kinds import planned_rows
from wdrop.study.plan import Run, Study
from wdrop.study.run import Outcome
from wdrop.study.store import Store, identity


def read_records(path: Path) -> pd.DataFrame:
    """The table in a `records.csv`; a last line without its end is cut off, and left out."""
    lines, _, _ = path.read_bytes().rpartition(b"\n")
    try:
        # a variant "0.05" is a name, not a number
        types = {"variant": str, "error": str}
        table = pd.read_csv(BytesIO(lines), dtype=types, low_memory=False)
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{path}: not a table of records: {error}") from None
    missing = {"key", "status", "fold", "part", "seconds"} - set(table.columns)
    if missing:
        raise ValueError(f"{path}: not a table of records: it has no column {', '.join(sorted(missing))}")
    return table


@final
@dataclass(frozen=True)
class Recorded:
    """Runs of a study that are done in a table and not in the store.

    rows   theirs, by key
    n_cut  how many more the table has in part only: they are left out
    """

    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    n_cut: int

    def beside(self, store: Store) -> Store:
        """The store with these runs as if they were in it; nothing is written."""
        return replace(store, also=self.rows)

    def into(self, store: Store, study: Study) -> None:
        """Write these runs into the store, where they are never run again."""
        for run in study.runs:
            if run.key in self.rows:
                store.add(run, Outcome([dict(row) for row in self.rows[run.key]], {}))


def recorded(study: Study, store: Store, records: Path) -> Recorded:
    """What this table has of the runs that the store lacks.

    The table has measures and no predictions: figures that need them have to do without. A run that differs from the
    plan in anything has another key and is left alone.
    """
    table = read_records(records)
    by_key = dict(list(table[table["status"] == "done"].groupby("key")))
    told = {run.key: _rows(run, by_key[run.key]) for run in study.runs if run.key in by_key and not store.has(run)}
    whole = {run.key for run in study.runs if run.key in told and _is_whole(run, told[run.key])}
    return Recorded({key: rows for key, rows in told.items() if key in whole}, len(told) - len(whole))


def _rows(run: Run, table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as a run leaves them: without what names the run, without columns that other runs needed."""
    own = table.drop(columns=[name for name in identity(run) if name in table])
    rows = own.fillna({"error": ""}).to_dict(orient="records")
    return [{str(name): value for name, value in row.items() if not pd.isna(value)} for row in rows]


def _is_whole(run: Run, rows: Sequence[Mapping[str, Any]]) -> bool:
    names, planned = planned_rows(run)
    return Counter(tuple(row.get(name, "") for name in names) for row in rows) == Counter(planned)
