"""Measures anew from predictions that are kept: a new measure needs no new training."""

from collections.abc import Callable
from typing import Any

import numpy as np

from wdrop.study.plan import Run, Study
from wdrop.study.run import STD_FLOOR, array_name, measured
from wdrop.study.store import Store


def remeasure(study: Study, store: Store, progress: Callable[[int, int], None] = lambda done, total: None) -> list[Run]:
    """Take all measures of all runs that are done once more; gives the runs whose predictions are not here."""
    without = []
    for i, run in enumerate(study.runs):
        if store.has(run) and store.has_arrays(run) and run.is_detection:
            store.replace_rows(run, _detector_rows(run, store))
        elif store.has(run) and store.has_arrays(run):
            arrays = store.arrays(run)
            rows = []
            for row in store.own_rows(run):
                place = array_name(row["fold"], row["part"], row.get("way", ""))
                mean, std, y = (arrays[f"{place}/{name}"] for name in ("mean", "std", "y"))
                rows.append({**row, **measured(mean, np.maximum(std, STD_FLOOR), y)})
            store.replace_rows(run, rows)
        elif store.has(run):
            without.append(run)
        progress(i + 1, len(study.runs))
    return without


def _detector_rows(run: Run, store: Store) -> list[dict[str, Any]]:
    """Rows along the training stay as they are: their boxes were not kept."""
    from wdrop.study.detection.remeasure import measured_again

    return measured_again(run, store.own_rows(run), store.arrays(run))
