"""What is left of a lead over MC-SqueezeDet once the size of every std is put right: a control, not a method."""

from collections.abc import Sequence
from math import isnan

import pandas as pd

from wdrop.report.detection.comparisons import BASELINE
from wdrop.report.detection.rows import (
    HEADINGS,
    PROTOCOLS,
    SHORT,
    UNCERTAINTY,
    Contestant,
    cell,
    contestants,
    in_data,
    judged,
    mean,
    of,
    seeds,
)
from wdrop.report.tables import Cell, Table, number

_TOLD = ("ece", "nll")


def gain_left(rows: pd.DataFrame, one: Contestant, measure: str) -> float:
    """The lead over MC after one factor a coordinate for both, over the lead before; NaN where there was none."""
    own, twins = of(rows, one), of(rows, BASELINE)
    before = mean(twins, measure) - mean(own, measure)
    after = mean(twins, f"{measure}_scaled") - mean(own, f"{measure}_scaled")
    return after / before if before > 0 else float("nan")


def control_text(records: pd.DataFrame, names: Sequence[str], protocols: Sequence[str]) -> list[str]:
    """What is being controlled, then a sentence for each data set and protocol; nothing without MC."""
    told = [
        f"{name}, {SHORT[protocol]}: {_sentence(rows, others)}"
        for name in names
        for protocol in protocols
        for rows, others in [_beside_mc(records, name, protocol)]
        if others
    ]
    reason = (
        "One number mends a std that is too small throughout: how much of the lead over MC is more than that? Here "
        "every detector, MC's included, has each coordinate's std multiplied by the one factor that fits it best."
    )
    return [reason, *told] if told else []


def control_in_short(records: pd.DataFrame, names: Sequence[str], protocols: Sequence[str]) -> str:
    """How much of the ECE's gain is left on the first data set, and on which of them MC is then ahead."""
    label, kept = "", []
    for protocol in protocols:
        rows, others = _beside_mc(records, names[0], protocol)
        share = gain_left(rows, others[0], "ece") if others else float("nan")
        if not isnan(share):
            label = others[0].label
            values = f"{_scaled(rows, others[0], 'ece')} against {_scaled(rows, BASELINE, 'ece')}"
            kept.append(f"{_share(share)} {SHORT[protocol]} ({values})")
    if not kept:
        return ""
    behind = _behind(records, names, protocols)
    ahead = f" MC is then ahead on {', on '.join(behind)}." if behind else ""
    return (
        f"Of its gain in ECE {label} keeps {', '.join(kept)} once each coordinate's std, MC's too, is multiplied by "
        f"the one factor that fits it: the rest is scale.{ahead}"
    )


def control_table(records: pd.DataFrame, dataset: str, protocol: str) -> Table | None:
    """The scores that are left once each coordinate's std was multiplied by the one factor that fits its residuals."""
    rows = in_data(judged(records, protocol=protocol), dataset)
    if rows.empty:
        return None
    body: list[Sequence[str | Cell]] = []
    for one in contestants(rows):
        own = of(rows, one)
        scaled = [Cell(mean(own, f"{name}_scaled")) for name in UNCERTAINTY]
        factors = [Cell(mean(own, f"factor_{coordinate}")) for coordinate in ("x", "y", "w", "h")]
        body.append([one.label, *scaled, *factors, cell(own, "n_matched"), cell(own, "recall")])
    headings = ["method", *(HEADINGS[name] for name in UNCERTAINTY), *(f"factor {name}" for name in "xywh")]
    note = (
        f"{seeds(rows)} One factor a coordinate, sqrt(mean r²), fitted to these very boxes: a control that shows what "
        "is more than scale, not a method. A factor of 1 would be honest as it is."
    )
    title = f"{dataset}, test, after one factor a coordinate: {PROTOCOLS.get(protocol, protocol)}"
    return Table(title, [*headings, "matched", "recall"], body, note)


def _beside_mc(records: pd.DataFrame, name: str, protocol: str) -> tuple[pd.DataFrame, list[Contestant]]:
    rows = in_data(judged(records, protocol=protocol), name)
    return rows, [] if of(rows, BASELINE).empty else [one for one in contestants(rows) if one != BASELINE]


def _sentence(rows: pd.DataFrame, others: Sequence[Contestant]) -> str:
    shares = ", ".join(
        f"{one.label} {' and '.join(_share(gain_left(rows, one, name)) for name in _TOLD)}" for one in others
    )
    lost = {one: [name for name in _TOLD if _is_behind(rows, one, name)] for one in others}
    ahead = ", of ".join(
        f"{one.label} in "
        + " and ".join(
            f"{HEADINGS[name]} ({_scaled(rows, BASELINE, name)} against {_scaled(rows, one, name)})" for name in names
        )
        for one, names in lost.items()
        if names
    )
    what = " and ".join(HEADINGS[name] for name in _TOLD)
    return f"left of the gain in {what}: {shares}." + (f" MC is then ahead of {ahead}." if ahead else "")


def _behind(records: pd.DataFrame, names: Sequence[str], protocols: Sequence[str]) -> list[str]:
    """Where MC is ahead of the first of the others, in words."""
    told = []
    for name in names:
        for protocol in protocols:
            rows, others = _beside_mc(records, name, protocol)
            lost = [HEADINGS[measure] for measure in _TOLD if others and _is_behind(rows, others[0], measure)]
            if lost:
                told.append(f"{name} {SHORT[protocol]} in {' and '.join(lost)}")
    return told


def _is_behind(rows: pd.DataFrame, one: Contestant, measure: str) -> bool:
    return mean(of(rows, one), f"{measure}_scaled") > mean(of(rows, BASELINE), f"{measure}_scaled")


def _scaled(rows: pd.DataFrame, one: Contestant, measure: str) -> str:
    return number(mean(of(rows, one), f"{measure}_scaled"))


def _share(value: float) -> str:
    if isnan(value):  # there was no gain
        return "(no gain)"
    return f"{value:.0%}" if value > 0 else "none"
