"""Contestants against MC-SqueezeDet: ratios, and how sure they are."""

from collections.abc import Sequence

import pandas as pd

from wdrop.report.benchmark.scores import column_for
from wdrop.report.detection.rows import (
    HEADINGS,
    PROTOCOLS,
    PUBLISHED_PROTOCOL,
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

BASELINE, _W = Contestant("mc"), Contestant("wasserstein")


def ratio(rows: pd.DataFrame, one: Contestant, measure: str) -> float:
    """The contestant's mean over seeds over that of MC-SqueezeDet; ECE is rounded as the paper's is."""
    column = column_for(rows, measure)
    return mean(of(rows, one), column) / mean(of(rows, BASELINE), column)


def ratios_table(records: pd.DataFrame, dataset: str, protocol: str) -> Table | None:
    """Scores over those of MC-SqueezeDet at equal steps, with the range over seeds, each seed against its own twin."""
    rows = in_data(judged(records, protocol=protocol), dataset)
    others = [one for one in contestants(rows) if one != BASELINE]
    if of(rows, BASELINE).empty or not others:
        return None
    body: list[Sequence[str | Cell]] = []
    for one in others:
        own, twins = of(rows, one), of(rows, BASELINE)
        body.append(
            [
                one.label,
                *(_with_range(rows, one, measure) for measure in UNCERTAINTY),
                f"{mean(own, 'miou') - mean(twins, 'miou'):+.3f}",
                f"{mean(own, 'recall') - mean(twins, 'recall'):+.3f}",
                cell(own, "n_matched"),
            ]
        )
    paper = _paper_row(dataset)
    if paper and protocol == PUBLISHED_PROTOCOL:
        body.append(paper)
    headings = ["ratio to MC", *(HEADINGS[name] for name in UNCERTAINTY), "mIoU, difference", "recall, difference"]
    several = any(ratio_range(rows, one, "ece") for one in others)
    beside = " In brackets: lowest and highest seed against MC of the same seed." if several else ""
    note = f"{seeds(rows)}{beside} ECE is rounded as the paper's is."
    return Table(
        f"{dataset}, test, over MC-SqueezeDet: {PROTOCOLS.get(protocol, protocol)}", [*headings, "matched"], body, note
    )


def ratio_range(rows: pd.DataFrame, one: Contestant, measure: str) -> tuple[float, float] | None:
    """The lowest and the highest ratio of a seed to MC of the same seed; None of a single seed."""
    both = of(rows, one).merge(of(rows, BASELINE), on="seed", suffixes=("", "_mc"))
    column = column_for(both, measure)
    found = both[column] / both[f"{column}_mc"]
    return (float(found.min()), float(found.max())) if len(found) > 1 else None


def published_ratio(one: Contestant, dataset: str, measure: str) -> float | None:
    """The paper's ratio on the whole data set, where it has one."""
    ours, theirs = (who.published("test", dataset, measure) for who in (one, BASELINE))
    return None if ours is None or theirs is None else ours / theirs


def _with_range(rows: pd.DataFrame, one: Contestant, measure: str) -> str:
    ends = ratio_range(rows, one, measure)
    return f"{ratio(rows, one, measure):.2f}" + (f" ({ends[0]:.2f}–{ends[1]:.2f})" if ends else "")


def _paper_row(dataset: str) -> Sequence[str | Cell]:
    ratios = [published_ratio(_W, dataset, name) for name in UNCERTAINTY]
    ours, theirs = (one.published("test", dataset, "miou") for one in (_W, BASELINE))
    if ours is None or theirs is None or None in ratios:
        return []
    return ["the paper, whole data set, W", *(f"{value:.2f}" for value in ratios), f"{ours - theirs:+.3f}", "–", "–"]


def intervals_table(records: pd.DataFrame, dataset: str, protocol: str) -> Table | None:
    """Each run's scores with their bootstrap intervals."""
    rows = in_data(judged(records, protocol=protocol), dataset)
    if rows.empty:
        return None
    body: list[Sequence[str | Cell]] = []
    for one in contestants(rows):
        for _, row in of(rows, one).sort_values("seed").iterrows():
            cells = [_with_interval(row, name) for name in ("miou", "rmse", *UNCERTAINTY, "recall")]
            body.append([one.label, str(row["seed"]), *cells, f"{row['n_matched']:,.0f}"])
    headings = ["method", "seed", *(HEADINGS[name] for name in ("miou", "rmse", *UNCERTAINTY, "recall")), "matched"]
    note = "95 % intervals over test sets of as many pictures, whole pictures drawn with replacement."
    return Table(f"{dataset}, test, each run: {PROTOCOLS.get(protocol, protocol)}", headings, body, note)


def _with_interval(row: "pd.Series[float]", name: str) -> str:
    value, low, high = (number(float(row[key])) for key in (name, f"{name}_low", f"{name}_high"))
    return f"{value} [{low}, {high}]"
