"""The verdict on the tables, in a few lines: what came out, and how it compares with the paper."""

from collections.abc import Sequence

import pandas as pd

from wdrop.report.benchmark.summaries import Summary, in_data, out_of_data
from wdrop.report.benchmark.verdicts import Compared
from wdrop.report.claims import Judged, counted
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import number

_MEASURES = ("nll", "ece", "ws", "rmse")
_PLACES = ("first", "second", "third", "fourth", "fifth")


def benchmark_lead(records: pd.DataFrame, claims: Sequence[Judged], numbers: Sequence[Compared]) -> str:
    """Where W-dropout stands on random folds and under shift, then how many claims agree: a line each."""
    places = {"Random folds": in_data(records), "Under shift": out_of_data(records)}
    told = [_standing(where, summary) for where, summary in places.items() if summary and _has_ours(summary)]
    if not told:
        return "Not enough was run yet for a verdict."
    return "\n".join([*told, agreement(claims, numbers)])


def agreement(claims: Sequence[Judged], numbers: Sequence[Compared]) -> str:
    """How many of the paper's sentences and numbers come out as published."""
    return (
        f"The paper's sentences: {counted([claim.verdict for claim in claims])}. "
        f"Its numbers that were run: {counted([compared.verdict for compared in numbers])}."
    )


def _has_ours(summary: Summary) -> bool:
    return "w_dropout" in summary.methods


def _standing(where: str, summary: Summary) -> str:
    means = {name: summary.tables[name].mean().sort_values() for name in _MEASURES}
    places = {name: list(means[name].index).index("w_dropout") for name in _MEASURES}
    said = [_place(name, places[name], means[name]) for name in sorted(_MEASURES, key=places.__getitem__)]
    n_sets, n_methods = len(summary.datasets), len(summary.methods)
    sets = f"{n_sets} data set{'' if n_sets == 1 else 's'}"
    return f"{where}, mean over {sets}: of {n_methods} methods W-dropout is {', '.join(said)}."


def _place(measure: str, place: int, means: "pd.Series[float]") -> str:
    """Such as: first by NLL (-0.482; next PU-DE -0.186)."""
    ordinal = _PLACES[place] if place < len(_PLACES) else f"number {place + 1}"
    rival = str(means.index[0 if place else min(1, len(means) - 1)])
    beside = f"{'best' if place else 'next'} {METHOD_LABELS.get(rival, rival)} {number(float(means[rival]))}"
    return f"{ordinal} by {measure.upper()} ({number(float(means['w_dropout']))}; {beside})"
