"""Whether a setting matters: tests of the sentences on p, L and the two λ."""

from collections.abc import Sequence

import numpy as np

from wdrop.measures import MEASURES
from wdrop.report.benchmark.evidence import Evidence
from wdrop.report.benchmark.findings import Test
from wdrop.report.claims import Finding
from wdrop.report.tables import number


def matters_little(setting: str, measure: str, factor: float) -> Test:
    """The mean over data sets changes by less than `factor` over all values, on i.i.d. test folds."""

    def test(evidence: Evidence) -> Finding:
        means = evidence.sweep(setting, measure, "test").mean()
        ratio = float(means.max() / means.min())
        ends = f"{number(float(means.min()))} ({setting} = {means.idxmin():g}) to {number(float(means.max()))}"
        return Finding(ratio <= factor, f"{MEASURES[measure].heading} {ends} ({setting} = {means.idxmax():g})")

    return test


def trend(setting: str, measure: str, panel: str, *, rising: bool) -> Test:
    """The mean over data sets at the largest value is above (or below) that at the smallest."""

    def test(evidence: Evidence) -> Finding:
        means = evidence.sweep(setting, measure, panel).mean()
        first, last = float(means.iloc[0]), float(means.iloc[-1])
        text = (
            f"{MEASURES[measure].heading} {number(first)} ({means.index[0]:g}) to {number(last)} ({means.index[-1]:g})"
        )
        return Finding(last > first if rising else last < first, text)

    return test


def no_trend(setting: str, measure: str, panels: Sequence[str]) -> Test:
    """The panels do not all rise from the smallest to the largest value, nor all fall."""

    def test(evidence: Evidence) -> Finding:
        changes = {}
        for panel in panels:
            means = evidence.sweep(setting, measure, panel).mean()
            changes[panel] = float(means.iloc[-1] - means.iloc[0])
        signs = {bool(change > 0) for change in changes.values()}
        return Finding(len(signs) == 2, ", ".join(f"{panel} {change:+.3f}" for panel, change in changes.items()))

    return test


def best_setting(setting: str, value: float) -> Test:
    """The value has the best mean rank over data sets and the measures NLL, ECE and WS."""

    def test(evidence: Evidence) -> Finding:
        ranks = [evidence.sweep(setting, measure, "test").rank(axis=1).mean() for measure in ("nll", "ece", "ws")]
        overall = (sum(ranks[1:], start=ranks[0]) / len(ranks)).sort_values()
        text = ", ".join(f"{name:g}: {number(float(rank))}" for name, rank in overall.items())
        return Finding(bool(np.isclose(float(overall.index[0]), value)), f"mean ranks {text}")

    return test
