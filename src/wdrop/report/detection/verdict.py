"""What a report on detectors says first."""

from collections.abc import Sequence

import pandas as pd

from wdrop.report.claims import Judged, counted
from wdrop.report.detection.comparisons import BASELINE, published_ratio, ratio
from wdrop.report.detection.control import control_in_short
from wdrop.report.detection.rows import HEADINGS, PUBLISHED_PROTOCOL, Contestant, contestants, in_data, judged, mean, of

BY_DENSITY = "samples-hdbscan"
CONTROLLED = (PUBLISHED_PROTOCOL, "closed_form")
_TOLD = ("ece", "ws", "nll", "etl")


def verdict(records: pd.DataFrame, names: Sequence[str], claims: Sequence[Judged]) -> list[str]:
    """A few lines: ratios to MC beside the paper's, what of them is more than scale, lost boxes, claims that agree."""
    rows = in_data(judged(records, protocol=PUBLISHED_PROTOCOL), names[0])
    others = [one for one in contestants(rows) if one != BASELINE]
    if of(rows, BASELINE).empty or not others:
        return ["Not enough was run yet for a verdict."]
    n_seeds = of(rows, others[0])["seed"].nunique()
    lines = [
        _compared(rows, others[0], names[0]),
        *(f"{one.label}: {_plain(rows, one)}." for one in others[1:]),
        control_in_short(records, names, CONTROLLED),
        _lost_boxes(records, names[0]),
        _claims(claims),
        f"W is W-SqueezeDet, MC is MC-SqueezeDet; {names[0]}'s test pictures, draws and k-means as published, where "
        f"nothing else is said; means over coordinates and {_counted(n_seeds, 'seed')}.",
    ]
    return [line for line in lines if line]


def recalls(records: pd.DataFrame, name: str, protocol: str) -> dict[str, float]:
    """Recall by contestant; empty if that was not run."""
    rows = in_data(judged(records, protocol=protocol), name)
    return {one.label: mean(of(rows, one), "recall") for one in contestants(rows)}


def _compared(rows: pd.DataFrame, one: Contestant, name: str) -> str:
    first, *more = (f"{ratio(rows, one, measure):.2f} times" for measure in _TOLD)
    papers = [published_ratio(one, name, measure) for measure in _TOLD]
    beside = ["" if value is None else f" ({value:.2f})" for value in papers]
    told = [f"{HEADINGS[m]} {times}{paper}" for m, times, paper in zip(_TOLD[1:], more, beside[1:], strict=True)]
    first += " MC's" + beside[0].replace("(", "(paper ")
    return (
        f"On {name} {one.label}'s {HEADINGS[_TOLD[0]]} is {first}, its {', '.join(told)}; below 1 is better. Boxes: "
        f"mIoU {_difference(rows, one)}."
    )


def _plain(rows: pd.DataFrame, one: Contestant) -> str:
    ratios = ", ".join(f"{HEADINGS[name]} {ratio(rows, one, name):.2f}" for name in _TOLD)
    return f"{ratios} times MC's, mIoU {_difference(rows, one)}"


def _difference(rows: pd.DataFrame, one: Contestant) -> str:
    return f"{mean(of(rows, one), 'miou') - mean(of(rows, BASELINE), 'miou'):+.3f}"


def _lost_boxes(records: pd.DataFrame, name: str) -> str:
    found = recalls(records, name, BY_DENSITY)
    if BASELINE.label not in found or len(found) == 1:
        return ""
    baseline = found.pop(BASELINE.label)
    told = ", ".join(f"{value:.2f} ({label})" for label, value in found.items())
    lost = ": boxes of wide std get lost" if max(found.values()) < baseline else ""
    return f"With HDBSCAN in place of k-means recall is {baseline:.2f} (MC), {told}{lost}."


def _claims(claims: Sequence[Judged]) -> str:
    return f"The paper's sentences on its detectors: {counted([one.verdict for one in claims])}."


def _counted(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
