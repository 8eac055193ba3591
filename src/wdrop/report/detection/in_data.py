"""The paper's table of detectors on their own data: train and test columns, the published values beside."""

from collections.abc import Sequence

import pandas as pd

from wdrop.detect.scores.evaluation import COORDINATES
from wdrop.report.benchmark.scores import column_for
from wdrop.report.detection.rows import (
    ALL,
    HEADINGS,
    PROTOCOLS,
    PUBLISHED_PROTOCOL,
    UNCERTAINTY,
    Contestant,
    cell,
    contestants,
    in_data,
    judged,
    of,
    seeds,
)
from wdrop.report.tables import Cell, Table

_COORDINATES = (*COORDINATES, ALL)
_WHOLE = ("n_matched", "recall", "miou", "rmse", "std")


def in_data_table(records: pd.DataFrame, dataset: str, protocol: str) -> Table | None:
    """A row for each measure and coordinate, a column for each contestant on train and on test pictures."""
    parts = {
        part: in_data(judged(records, protocol=protocol, part=part, coordinate=None), dataset)
        for part in ("train", "test")
    }
    columns = [(part, one) for part, rows in parts.items() for one in contestants(rows)]
    if not columns:
        return None
    body: list[Sequence[str | Cell]] = []
    wanted = [(measure, ALL) for measure in _WHOLE]
    wanted += [(measure, coordinate) for measure in UNCERTAINTY for coordinate in _COORDINATES]
    for measure, coordinate in wanted:
        cells = [_cell(parts[part], part, one, dataset, protocol, measure, coordinate) for part, one in columns]
        body.append([_heading(measure, coordinate), *cells])
    headings = ["score", *(f"{one.label}, {part}" for part, one in columns)]
    beside = "In brackets: the paper, on the whole data set." if protocol == PUBLISHED_PROTOCOL else ""
    counts = seeds(parts["test"] if len(parts["test"]) else parts["train"])
    note = f"{counts} Pixels of the stored picture. ECE is rounded as the paper's is. {beside}"
    return Table(f"Trained and judged on {dataset}: {PROTOCOLS.get(protocol, protocol)}", headings, body, note.strip())


def _cell(
    rows: pd.DataFrame, part: str, one: Contestant, dataset: str, protocol: str, measure: str, coordinate: str
) -> Cell | str:
    own = of(rows[rows["coordinate"] == coordinate], one)
    name = measure if coordinate == ALL else f"{measure}_{coordinate}"
    theirs = one.published(part, dataset, name) if protocol == PUBLISHED_PROTOCOL else None
    return cell(own, column_for(own, measure), theirs)


def _heading(measure: str, coordinate: str) -> str:
    heading = HEADINGS[measure]
    if measure not in UNCERTAINTY:
        return heading
    return f"{heading}, mean" if coordinate == ALL else f"{heading} {coordinate}"
