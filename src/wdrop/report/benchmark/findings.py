"""Ways to put a sentence of the paper to the test: each gives a function of evidence that says whether it holds."""

from collections.abc import Callable, Sequence
from math import inf

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.evidence import Evidence
from wdrop.report.claims import Finding, NotRunError
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import number

Test = Callable[[Evidence], Finding]


def label(method: object) -> str:
    return METHOD_LABELS.get(str(method), str(method))


def told(values: "pd.Series[float]", most: int = 4) -> str:
    """The first few as text: "W-dropout 0.501, PU-DE 0.515, …"."""
    shown = ", ".join(f"{label(name)} {number(float(value))}" for name, value in values.head(most).items())
    return f"{shown}, …" if len(values) > most else shown


def row_of(table: pd.DataFrame, name: str) -> "pd.Series[float]":
    """One row by its name."""
    return table.iloc[[str(other) for other in table.index].index(name)]


def needs(names: Sequence[str], table: "pd.DataFrame | pd.Series[float]") -> None:
    """Raise NotRunError unless all these methods are there."""
    there = table.columns if isinstance(table, pd.DataFrame) else table.index
    if not set(names) <= set(there):
        raise NotRunError


def leads(measure: str, panel: str, *leaders: str) -> Test:
    """The leaders have the smallest means over data sets, in whatever order among themselves."""

    def test(evidence: Evidence) -> Finding:
        means = evidence.means(measure, panel)
        needs(leaders, means)
        return Finding(set(means.index[: len(leaders)]) == set(leaders), _heading(measure, told(means)))

    return test


def follows(measure: str, panel: str, leaders: Sequence[str], followers: Sequence[str], within: float = inf) -> Test:
    """The leaders have the smallest means, and these the next, at most `within` above the largest of the leaders'."""

    def test(evidence: Evidence) -> Finding:
        means = evidence.means(measure, panel)
        needs([*leaders, *followers], means)
        n = len(leaders)
        in_order = set(means.index[:n]) == set(leaders) and set(means.index[n : n + len(followers)]) == set(followers)
        gap = float(means[list(followers)].max() - means[list(leaders)].max())
        return Finding(in_order and gap <= within, _heading(measure, told(means, 5)))

    return test


def near_the_best(measure: str, panel: str, method: str, factor: float) -> Test:
    """The method's mean is at most `factor` times the smallest."""

    def test(evidence: Evidence) -> Finding:
        means = evidence.means(measure, panel)
        needs([method], means)
        ratio = float(means[method] / means.iloc[0])
        return Finding(ratio <= factor, f"{label(method)} {number(float(means[method]))}, best {told(means.head(1))}")

    return test


def alike(measure: str, panels: Sequence[str], factor: float) -> Test:
    """The largest mean of any method is at most `factor` times the smallest, in each panel."""

    def test(evidence: Evidence) -> Finding:
        ratios, texts = [], []
        for panel in panels:
            means = evidence.means(measure, panel)
            ratios.append(float(means.iloc[-1] / means.iloc[0]))
            texts.append(f"{panel}: {number(float(means.iloc[0]))} to {told(means.tail(1))}")
        return Finding(max(ratios) <= factor, "; ".join(texts))

    return test


def rises(measure: str, lower: Sequence[str], higher: Sequence[str]) -> Test:
    """For every method, the mean over the second panels is above that over the first."""

    def test(evidence: Evidence) -> Finding:
        first = pd.concat([evidence.means(measure, panel) for panel in lower], axis=1).mean(axis=1)
        second = pd.concat([evidence.means(measure, panel) for panel in higher], axis=1).mean(axis=1)
        growth = (second / first).dropna().sort_values()
        text = f"grows by a factor of {number(float(growth.iloc[0]))} ({label(growth.index[0])})"
        return Finding(
            bool((growth > 1).all()), f"{text} to {number(float(growth.iloc[-1]))} ({label(growth.index[-1])})"
        )

    return test


def low_quartile_ends(measure: str, panels: Sequence[str], method: str, rank: int) -> Test:
    """The method's 75 % quantile over data sets is among the `rank` smallest in each panel."""

    def test(evidence: Evidence) -> Finding:
        ranks, texts = [], []
        for panel in panels:
            if panel == "ood":
                raise NotRunError
            quantiles = evidence.table(measure, panel).quantile(0.75).sort_values()
            needs([method], quantiles)
            ranks.append(list(quantiles.index).index(method) + 1)
            texts.append(f"{panel}: {label(method)} {number(float(quantiles[method]))}, rank {ranks[-1]}")
        return Finding(max(ranks) <= rank, "; ".join(texts))

    return test


def far_above_medians(measure: str, panels: Sequence[str], methods: Sequence[str], factor: float) -> Test:
    """Each method's mean over data sets is more than `factor` times its median, in one of the panels at least."""

    def test(evidence: Evidence) -> Finding:
        ratios = pd.Series(0.0, index=list(methods))
        for panel in panels:
            table = evidence.table(measure, panel)
            needs(methods, table)
            ratios = ratios.combine((table.mean() / table.median())[list(methods)], max)
        text = ", ".join(f"{label(name)} {number(float(value))}" for name, value in ratios.items())
        return Finding(bool((ratios > factor).all()), f"mean over median, largest of the panels: {text}")

    return test


def beats(measures: Sequence[str], panels: Sequence[str], winner: str, losers: Sequence[str]) -> Test:
    """The winner's mean is below each loser's, on all measures in all panels."""

    def test(evidence: Evidence) -> Finding:
        lost, n = [], 0
        for panel in panels:
            for measure in measures:
                means = evidence.means(measure, panel)
                needs([winner, *losers], means)
                for loser in losers:
                    n += 1
                    if means[winner] >= means[loser]:
                        lost.append(f"{MEASURES[measure].heading} {panel} against {label(loser)}")
        told_lost = f"; not: {', '.join(lost)}" if lost else ""
        return Finding(not lost, f"{n - len(lost)} of {n} comparisons won{told_lost}")

    return test


def _heading(measure: str, text: str) -> str:
    return f"{MEASURES[measure].heading if measure in MEASURES else measure}: {text}"
