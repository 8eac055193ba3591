"""All tables of the benchmark, by the name of their file."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import pandas as pd

from wdrop.report.benchmark.facts import datasets_table, seconds_table
from wdrop.report.benchmark.per_dataset import as_published_table, details_table, per_dataset_table
from wdrop.report.benchmark.ranks import ranks_table
from wdrop.report.benchmark.scores import PAPER_MEASURES
from wdrop.report.benchmark.summaries import (
    confidence_table,
    in_data_table,
    medians_table,
    out_of_data_table,
    panels_table,
)
from wdrop.report.benchmark.tails import etl_table, tail_error_table
from wdrop.report.tables import Table

TABLES: Mapping[str, Callable[[pd.DataFrame], Table | None]] = MappingProxyType(
    {
        "in_data": in_data_table,
        "in_data_ranks": ranks_table,
        "in_data_intervals": confidence_table,
        "in_data_medians": medians_table,
        "ood": out_of_data_table,
        "ood_ranks": partial(ranks_table, shifted=True),
        "ood_intervals": partial(confidence_table, shifted=True),
        "ood_medians": partial(medians_table, shifted=True),
        **{f"panels_{measure}": partial(panels_table, measure=measure) for measure in PAPER_MEASURES},
        "per_dataset": per_dataset_table,
        "per_dataset_details": details_table,
        "as_published": as_published_table,
        "etl": etl_table,
        "tail_errors": tail_error_table,
        "datasets": datasets_table,
        "seconds": seconds_table,
    }
)
"""Each a function of the records that gives None where nothing was run."""


def benchmark_tables(records: pd.DataFrame) -> dict[str, Table]:
    """The tables for which there are records."""
    found = {name: make(records) for name, make in TABLES.items()}
    return {name: table for name, table in found.items() if table is not None}
