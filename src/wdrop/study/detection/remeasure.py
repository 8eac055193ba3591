"""Scores of detectors anew from the boxes that are kept."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from numpy.typing import NDArray

from wdrop.detect.scores.evaluation import ALL
from wdrop.study.detection.records import Judgement, matches_from, rows_of
from wdrop.study.detection.task import DetectorTask
from wdrop.study.plan import Run


def measured_again(
    run: Run, rows: Sequence[Mapping[str, Any]], arrays: Mapping[str, NDArray[Any]]
) -> list[dict[str, Any]]:
    """The rows with all scores taken once more; those along the training stay, as their boxes were not kept."""
    task = cast(DetectorTask, run.method)
    fresh: list[dict[str, Any]] = [dict(row) for row in rows if row["part"] == "along"]
    for row in rows:
        if row["part"] != "along" and row["coordinate"] == ALL:  # one for each judgement
            one = Judgement(row["tested_on"], row["part"], row["corruption"], row["protocol"])
            facts = {name: row[name] for name in row if name not in one._fields and name in _FACTS}
            fresh += [{**facts, **new} for new in rows_of(one, matches_from(one, arrays), n_repeats=task.n_repeats)]
    return fresh


_FACTS = ("status", "error", "seconds", "peak_mib", "wdrop", "torch", "python", "backbone", "n_train", "step")
