"""Which method for the table in this file?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wdrop._processes import JobProgress
from wdrop.estimators.columns import Columns
from wdrop.estimators.compare import Comparison, Plan, compare
from wdrop.files.fit_file import checked_columns
from wdrop.files.table_file import Dialect, read_table

_LEAST_ROWS = 20


def compare_file(
    data: str,
    target: str | Sequence[str],
    *,
    plan: Plan | None = None,
    ignore: Sequence[str] = (),
    dialect: Dialect | None = None,
    n_processes: int | None = None,
    progress: JobProgress = lambda job, done, total: None,
) -> Comparison:
    """Each method of the plan on the table in the file, judged at rows that did not train.

    Words and gaps in features are encoded as `Regressor` does. Rows without a target are left out.
    """
    targets = [target] if isinstance(target, str) else list(target)
    columns = checked_columns(data, read_table(data, dialect), targets, ignore)
    y = np.column_stack([column.values for column in columns[: len(targets)]])
    seen = ~np.isnan(y).any(1)
    if seen.sum() < _LEAST_ROWS:
        raise ValueError(f"{data}: expected at least {_LEAST_ROWS} rows with a target to compare on, got {seen.sum()}")
    table = {str(column.name): column.values[seen] for column in columns[len(targets) :]}
    encoding = Columns.of(table)
    found = compare(encoding.encode(table), y[seen], plan, n_processes=n_processes, progress=progress)
    own: dict[str, object] = {"file": data, "target": ", ".join(targets), "features": len(encoding.titles)}
    if not seen.all():
        own["left out"] = f"{int((~seen).sum())} rows without a target"
    return replace(found, facts={**own, **found.facts})
