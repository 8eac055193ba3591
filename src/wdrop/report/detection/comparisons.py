"""Contestants against MC-SqueezeDet: ratios, what is left after one factor a coordinate, and how sure it is."""

from collections.abc import Sequence

import pandas as pd

from wdrop.detect.scores.evaluation import COORDINATES
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

BASELINE = Contestant("mc")


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
                *(f"{ratio(rows, one, measure):.2f} {_range(own, twins, measure)}" for measure in UNCERTAINTY),
                f"{mean(own, 'miou') - mean(twins, 'miou'):+.3f}",
                f"{mean(own, 'recall') - mean(twins, 'recall'):+.3f}",
                cell(own, "n_matched"),
            ]
        )
    paper = _paper_row(dataset)
    if paper and protocol == PUBLISHED_PROTOCOL:
        body.append(paper)
    headings = ["ratio to MC", *(HEADINGS[name] for name in UNCERTAINTY), "mIoU, difference", "recall, difference"]
    beside = "In brackets: lowest and highest seed against MC of the same seed. ECE is rounded as the paper's is."
    note = f"{seeds(rows)} {beside}"
    return Table(
        f"{dataset}, test, over MC-SqueezeDet: {PROTOCOLS.get(protocol, protocol)}", [*headings, "matched"], body, note
    )


def _range(own: pd.DataFrame, twins: pd.DataFrame, measure: str) -> str:
    both = own.merge(twins, on="seed", suffixes=("", "_mc"))
    column = column_for(own, measure)
    found = both[column] / both[f"{column}_mc"]
    return f"({found.min():.2f}–{found.max():.2f})" if len(found) > 1 else ""


def _paper_row(dataset: str) -> Sequence[str | Cell]:
    w = Contestant("wasserstein")
    pairs = [
        (w.published("test", dataset, name), BASELINE.published("test", dataset, name))
        for name in (*UNCERTAINTY, "miou")
    ]
    values = [(a, b) for a, b in pairs if a is not None and b is not None]
    if len(values) < len(pairs):
        return []
    quotients = [f"{a / b:.2f}" for a, b in values[:-1]]
    return ["the paper, whole data set, W", *quotients, f"{values[-1][0] - values[-1][1]:+.3f}", "–", "–"]


def control_table(records: pd.DataFrame, dataset: str, protocol: str) -> Table | None:
    """The scores that are left once each coordinate's std was multiplied by the one factor that fits its residuals."""
    rows = in_data(judged(records, protocol=protocol), dataset)
    if rows.empty:
        return None
    body: list[Sequence[str | Cell]] = []
    for one in contestants(rows):
        own = of(rows, one)
        scaled = [Cell(mean(own, f"{name}_scaled")) for name in UNCERTAINTY]
        factors = [Cell(mean(own, f"factor_{coordinate}")) for coordinate in COORDINATES]
        body.append([one.label, *scaled, *factors, cell(own, "n_matched"), cell(own, "recall")])
    headings = ["", *(HEADINGS[name] for name in UNCERTAINTY), *(f"factor {name}" for name in COORDINATES)]
    note = (
        f"{seeds(rows)} One factor a coordinate, sqrt(mean r²), fitted to these very boxes: a control that shows what "
        "is more than scale, not a method. A factor of 1 would be honest as it is."
    )
    title = f"{dataset}, test, after one factor a coordinate: {PROTOCOLS.get(protocol, protocol)}"
    return Table(title, [*headings, "matched", "recall"], body, note)


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
    headings = ["", "seed", *(HEADINGS[name] for name in ("miou", "rmse", *UNCERTAINTY, "recall")), "matched"]
    note = "95 % intervals over test sets of as many pictures, whole pictures drawn with replacement."
    return Table(f"{dataset}, test, each run: {PROTOCOLS.get(protocol, protocol)}", headings, body, note)


def _with_interval(row: "pd.Series[float]", name: str) -> str:
    value, low, high = (number(float(row[key])) for key in (name, f"{name}_low", f"{name}_high"))
    return f"{value} [{low}, {high}]"
