"""Measures anew from predictions that are kept: a new measure needs no new training."""

from collections.abc import Callable

import numpy as np

from wdrop.study.plan import Run, Study
from wdrop.study.run import STD_FLOOR, measured
from wdrop.study.store import Store


def remeasure(study: Study, store: Store, progress: Callable[[int, int], None] = lambda done, total: None) -> list[Run]:
    """Take all measures of all runs that are done once more; gives the runs whose predictions are not here."""
    without = []
    for i, run in enumerate(study.runs):
        if store.has(run) and store.has_arrays(run):
            arrays = store.arrays(run)
            rows = []
            for row in store.own_rows(run):
                mean, std, y = (arrays[f"{row['fold']}/{row['part']}/{name}"] for name in ("mean", "std", "y"))
                rows.append({**row, **measured(mean, np.maximum(std, STD_FLOOR), y)})
            store.replace_rows(run, rows)
        elif store.has(run):
            without.append(run)
        progress(i + 1, len(study.runs))
    return without
