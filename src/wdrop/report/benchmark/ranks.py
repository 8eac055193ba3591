"""Who comes first how often: mean ranks over data sets, and which differences of them are no accident.

Demšar, "Statistical comparisons of classifiers over multiple data sets", 2006.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, nan, sqrt
from typing import final

import pandas as pd
from scipy.stats import friedmanchisquare, studentized_range

from wdrop.measures import MEASURES
from wdrop.report.benchmark.summaries import Summary, in_data, out_of_data
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import Cell, Table, number

RANKED = ("rmse", "nll", "ece", "ws", "crps")


@final
@dataclass(frozen=True)
class Ranks:
    """Mean ranks of the methods on one measure, 1 the best.

    critical_difference  mean ranks further apart than this differ at the 5 % level (Nemenyi)
    p_value              of the Friedman test that all methods are alike; NaN if there is nothing to test
    """

    measure: str
    mean_ranks: Mapping[str, float]
    critical_difference: float
    n_datasets: int
    statistic: float
    p_value: float

    def alike(self) -> list[tuple[str, ...]]:
        """The longest runs of methods, best first, that the data sets do not tell apart: the bars of the figure."""
        names = sorted(self.mean_ranks, key=lambda name: self.mean_ranks[name])
        runs: list[tuple[str, ...]] = []
        for start, first in enumerate(names):
            limit = self.mean_ranks[first] + self.critical_difference
            run = tuple(name for name in names[start:] if self.mean_ranks[name] <= limit)
            if len(run) > 1 and not any(set(run) <= set(earlier) for earlier in runs):
                runs.append(run)
        return runs


def ranks(table: pd.DataFrame, measure: str) -> Ranks | None:
    """The ranks in a table of data sets by methods, lower scores better; None for fewer than two of either."""
    table = table.dropna()
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    statistic, p_value = _friedman(table)
    mean_ranks = {str(name): float(rank) for name, rank in table.rank(axis=1).mean().items()}
    return Ranks(measure, mean_ranks, nemenyi(k, n), n, statistic, p_value)


def _friedman(table: pd.DataFrame) -> tuple[float, float]:
    if table.shape[1] < 3:  # the test is for three and more
        return nan, nan
    found = friedmanchisquare(*(table[name] for name in table.columns))
    return float(found.statistic), float(found.pvalue)


@cache
def nemenyi(n_methods: int, n_datasets: int, level: float = 0.05) -> float:
    """Q sqrt(k (k + 1) / (6 N)), q from the studentised range for infinite degrees of freedom over √2."""
    q = float(studentized_range.ppf(1 - level, n_methods, inf)) / sqrt(2)
    return q * sqrt(n_methods * (n_methods + 1) / (6 * n_datasets))


def benchmark_ranks(records: pd.DataFrame, shifted: bool = False) -> list[Ranks]:
    """The ranks on every measure with a better end, i.i.d. or under shift; empty if nothing compares."""
    summary = out_of_data(records) if shifted else in_data(records)
    return [] if summary is None else all_ranks(summary)


def all_ranks(summary: Summary) -> list[Ranks]:
    """The ranks of one place, measure by measure."""
    found = [ranks(summary.tables[measure], measure) for measure in RANKED]
    return [one for one in found if one is not None]


def ranks_table(records: pd.DataFrame, shifted: bool = False) -> Table | None:
    """Mean ranks by measure, with the critical difference and the Friedman test."""
    found = benchmark_ranks(records, shifted)
    if not found:
        return None
    methods = sorted(found[0].mean_ranks, key=lambda method: _overall(found, method))
    rows: list[Sequence[str | Cell]] = [
        [METHOD_LABELS.get(method, method), *(Cell(one.mean_ranks.get(method, nan)) for one in found)]
        for method in methods
    ]
    difference: list[str | Cell] = ["critical difference", *(Cell(one.critical_difference) for one in found)]
    tests = "; ".join(f"{MEASURES[o.measure].heading} χ² {number(o.statistic)}, p {o.p_value:.2g}" for o in found)
    note = (
        f"1 is best, over {found[0].n_datasets} data sets; ordered by the mean over measures. Ranks closer than the "
        f"critical difference (Nemenyi, 5 %) are not told apart. Friedman tests: {tests}."
    )
    title = f"{'Under shift' if shifted else 'In-data'}: mean ranks"
    measures = [MEASURES[one.measure].heading for one in found]
    return Table(title, ["method", *measures], rows, note, [difference], measures)


def _overall(found: Sequence[Ranks], method: str) -> float:
    return sum(one.mean_ranks.get(method, inf) for one in found) / len(found)
