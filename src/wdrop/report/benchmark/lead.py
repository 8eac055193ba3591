"""The verdict on the tables, in a few lines: what came out, and how it compares with the paper."""

from collections.abc import Mapping, Sequence

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.ranks import Ranks, all_ranks
from wdrop.report.benchmark.summaries import Summary, in_data, out_of_data
from wdrop.report.benchmark.verdicts import Compared
from wdrop.report.claims import Judged, counted
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import number

_OURS = "w_dropout"
_MEASURES = ("nll", "ece", "ws", "crps", "rmse")
_OF_STD = _MEASURES[:3]
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def benchmark_lead(records: pd.DataFrame, claims: Sequence[Judged], numbers: Sequence[Compared]) -> str:
    """Where W-dropout stands on random folds and under shift, in short and in numbers, then how many claims agree."""
    places = {"Random folds": in_data(records), "Under shift": out_of_data(records)}
    judged = {where: summary for where, summary in places.items() if summary and _OURS in summary.methods}
    if not judged:
        return "Not enough was run yet for a verdict."
    told = [line for where, summary in judged.items() for line in _standing(where, summary)]
    return "\n".join([_in_short(judged), *told, agreement(claims, numbers)])


def _in_short(judged: Mapping[str, Summary]) -> str:
    """From which place to which W-dropout comes, over the measures that judge a std."""
    spans = []
    for where, summary in judged.items():
        ranks = {one.measure: pd.Series(one.mean_ranks) for one in all_ranks(summary)}
        means = {name: summary.tables[name].mean() for name in _MEASURES}
        by = [f"{_span(some)} by {what}" for what, some in (("mean rank", ranks), ("mean", means)) if some]
        spans.append(f"{where.lower()}: {', '.join(by)}")
    return f"W-dropout among {len(summary.methods)} methods, in NLL, ECE and WS. {'; '.join(spans).capitalize()}."


def _span(scores: "Mapping[str, pd.Series[float]]") -> str:
    """Such as: second to third."""
    places = sorted(list(scores[name].sort_values().index).index(_OURS) for name in _OF_STD)
    first, last = (_ordinal(place) for place in (places[0], places[-1]))
    return first if first == last else f"{first} to {last}"


def _ordinal(place: int) -> str:
    return _PLACES[place] if place < len(_PLACES) else f"number {place + 1}"


def agreement(claims: Sequence[Judged], numbers: Sequence[Compared]) -> str:
    """How many of the paper's sentences and numbers come out as published."""
    return (
        f"The paper's sentences: {counted([claim.verdict for claim in claims])}. "
        f"Its numbers that were run: {counted([compared.verdict for compared in numbers])}."
    )


def _standing(where: str, summary: Summary) -> list[str]:
    """By mean rank, with what that does not tell apart, then by mean, with what rules it."""
    means = {name: summary.tables[name].mean() for name in _MEASURES}
    means = {name: values for name, values in means.items() if values.notna().all()}  # records without CRPS have none
    found = sorted(all_ranks(summary), key=lambda one: _MEASURES.index(one.measure))
    sets = f"{len(summary.datasets)} data set{'' if len(summary.datasets) == 1 else 's'}"
    told = [f"{where}, mean over {sets} of {len(summary.methods)} methods: {_places(means)}.{_ruled_by(summary)}"]
    if found:
        ranked = _places({one.measure: pd.Series(one.mean_ranks) for one in found}, digits=2)
        told.insert(0, f"{where}, mean rank over {sets} of {len(summary.methods)} methods: {ranked}. {_apart(found)}")
    return told


def _places(scores: "Mapping[str, pd.Series[float]]", digits: int | None = None) -> str:
    ordered = {name: values.sort_values() for name, values in scores.items()}
    places = {name: list(values.index).index(_OURS) for name, values in ordered.items()}
    said = [_place(name, places[name], ordered[name], digits) for name in sorted(places, key=places.__getitem__)]
    return f"W-dropout is {', '.join(said)}"


def _place(measure: str, place: int, scores: "pd.Series[float]", digits: int | None) -> str:
    """Such as: first by NLL (-0.482; next PU-DE -0.186)."""
    rival = _rival(scores)
    ours, theirs = (
        number(value) if digits is None else f"{value:.{digits}f}" for value in (scores[_OURS], scores[rival])
    )
    beside = f"{'best' if place else 'next'} {METHOD_LABELS.get(rival, rival)} {theirs}"
    return f"{_ordinal(place)} by {MEASURES[measure].heading} ({ours}; {beside})"


def _rival(scores: "pd.Series[float]") -> str:
    """The best of the others, scores in order."""
    return str(scores.index[0 if scores.index[0] != _OURS else min(1, len(scores) - 1)])


def _apart(found: Sequence[Ranks]) -> str:
    """From which of the rivals it is told apart; those between the two are then no farther."""
    rivals = {one.measure: _rival(pd.Series(one.mean_ranks).sort_values()) for one in found}
    apart = [
        f"{METHOD_LABELS.get(rivals[one.measure], rivals[one.measure])} by {MEASURES[one.measure].heading}"
        for one in found
        if not any({rivals[one.measure], _OURS} <= set(run) for run in one.alike())
    ]
    return f"These ranks tell it apart from {', '.join(apart) or 'none of those named'} (Nemenyi, 5 %)."


def _ruled_by(summary: Summary) -> str:
    """That a few data sets rule the means, with the clearest case; empty where no mean leaves its quartiles."""
    cases = []
    for measure in _MEASURES:
        for method, values in summary.tables[measure].items():
            low, median, high = values.quantile([0.25, 0.5, 0.75])
            if values.mean() > high > low:
                cases.append(((values.mean() - median) / (high - low), measure, str(method), values.mean(), median))
    if not cases:
        return ""
    _, measure, method, mean, median = max(cases)
    return (
        " A few wild data sets rule such means: "
        f"the {MEASURES[measure].heading} of {METHOD_LABELS.get(method, method)} "
        f"has mean {number(mean)} and median {number(median)}."
    )
