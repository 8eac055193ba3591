"""Detectors on blurred and noisy pictures."""

from collections.abc import Sequence

import pandas as pd

from wdrop.report.benchmark.scores import column_for
from wdrop.report.detection.rows import (
    CLEAN,
    HEADINGS,
    PROTOCOLS,
    PUBLISHED_PROTOCOL,
    cell,
    contestants,
    in_data,
    judged,
    of,
    seeds,
)
from wdrop.report.tables import Cell, Table

_MEASURES = ("n_matched", "recall", "miou", "rmse", "nll", "ece", "ws", "etl")


def corrupted_table(records: pd.DataFrame, dataset: str, protocol: str) -> Table | None:
    """A row for each corruption and contestant; the paper prints the ECE alone, and of the whole data set."""
    rows = in_data(judged(records, protocol=protocol, corruption=None), dataset)
    if not (rows["corruption"] != CLEAN).any():
        return None
    body: list[Sequence[str | Cell]] = []
    for corruption in dict.fromkeys(rows["corruption"]):
        some = rows[rows["corruption"] == corruption]
        for one in contestants(some):
            own = of(some, one)
            cells = [
                cell(
                    own,
                    column_for(own, name),
                    one.published(_split(str(corruption)), dataset, name)
                    if name == "ece" and protocol == PUBLISHED_PROTOCOL
                    else None,
                )
                for name in _MEASURES
            ]
            body.append([str(corruption), one.label, *cells])
    headings = ["pictures", "method", *(HEADINGS[name] for name in _MEASURES)]
    note = f"{seeds(rows)} Matched boxes differ between rows. ECE is rounded as the paper's is."
    return Table(f"{dataset}, test, corrupted: {PROTOCOLS.get(protocol, protocol)}", headings, body, note)


def _split(corruption: str) -> str:
    """The paper's name of it: it has severity 1 only."""
    return "test" if corruption == CLEAN else corruption.removesuffix(" 1")
