"""Every number of the paper's tables that was run, beside ours and judged."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, nan, sqrt

import numpy as np
import pandas as pd

from wdrop.report.benchmark.paper import paper_table, paper_value
from wdrop.report.benchmark.scores import (
    DATASETS,
    PAPER_MEASURES,
    PAPER_METHODS,
    SHIFTS,
    TOY_GROUP,
    TOYS,
    Score,
    column_for,
    done,
    main_form,
    on_panel,
    published_form,
    score,
)
from wdrop.report.benchmark.tails import IDEAL_ETL, published_etl, tail_losses, tail_rows
from wdrop.report.benchmark.verdicts import FORMS, UNEXPLAINED, Compared, judge_number
from wdrop.report.claims import Verdict
from wdrop.report.tables import number

_ETL_FACTOR = {"mean": 1.5, "max": 2.0}
ETL_ALLOWED = (
    "A mean ETL may differ by a factor of 1.5, a maximum by a factor of two: a maximum over 110 networks is ruled by "
    "one of them and has no standard error."
)


def all_numbers(records: pd.DataFrame) -> list[Compared]:
    """All comparisons, table by table; what was not run is not there."""
    of_sets = per_dataset_numbers(records)
    return [*of_sets, *in_data_numbers(of_sets), *shift_numbers(records), *toy_numbers(records), *etl_numbers(records)]


def per_dataset_numbers(records: pd.DataFrame) -> list[Compared]:
    """The paper's table of 14 data sets, 9 methods, 4 measures."""
    ours, theirs = on_panel(main_form(records), "test"), on_panel(published_form(records), "test")
    return _numbers("uci", "iid-test", DATASETS, ours, theirs)


def toy_numbers(records: pd.DataFrame) -> list[Compared]:
    """The paper's toy table, beside our i.i.d. folds of the toy sets."""
    rows = done(records)
    rows = rows[(rows["group"] == TOY_GROUP) & (rows["variant"] == "")]
    unknown = Verdict.GUESS, "the paper's split of the toy data is unknown"
    return _numbers("toy", "test", TOYS, on_panel(rows, "test"), rows.head(0), unknown)


def _numbers(
    table: str,
    split: str,
    datasets: Sequence[str],
    ours: pd.DataFrame,
    theirs: pd.DataFrame,
    otherwise: tuple[Verdict, str] = UNEXPLAINED,
) -> list[Compared]:
    found = []
    cells, published_cells = _cells(ours), _cells(theirs)
    for dataset, method, measure in itertools.product(datasets, PAPER_METHODS, PAPER_MEASURES):
        mine = _score(cells.get((dataset, method)), measure)
        value = paper_value(table, split, dataset, method, measure)
        if value is None or mine is None:
            continue
        as_published = _score(published_cells.get((dataset, method)), measure)
        found.append(
            judge_number(table, dataset, method, measure, mine, value, as_published=as_published, otherwise=otherwise)
        )
    return found


def _cells(rows: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    return {(str(dataset), str(method)): some for (dataset, method), some in rows.groupby(["dataset", "method"])}


def _score(rows: pd.DataFrame | None, measure: str) -> Score | None:
    found = None if rows is None else score(rows, column_for(rows, measure))
    return found if found is not None and found.n else None


def in_data_numbers(of_sets: Sequence[Compared]) -> list[Compared]:
    """The paper's summary: means over its data sets, taken over those that were run."""
    found = []
    for method, measure in itertools.product(PAPER_METHODS, PAPER_MEASURES):
        parts = [c for c in of_sets if (c.method, c.measure) == (method, measure)]
        if not parts:
            continue
        mine = Score(float(np.mean([c.ours for c in parts])), nan, _joint_error([c.error for c in parts]), 0)
        value = float(paper_table(measure).loc[[c.place for c in parts], method].mean())
        place = f"in-data, mean over {len(parts)} data sets"
        compared = judge_number("uci-summary", place, method, measure, mine, value)
        if compared.verdict not in (
            Verdict.AGREES,
            Verdict.UNDECIDED,
        ):  # a mean's reason is that of its data sets, no guess of its own
            verdict, because = _from_parts(parts)
            compared = replace(compared, verdict=verdict, because=because)
        found.append(compared)
    return found


def _from_parts(parts: Sequence[Compared]) -> tuple[Verdict, str]:
    order = list(Verdict)
    culprits = [c for c in parts if c.verdict is not Verdict.AGREES]
    if not culprits:
        return Verdict.UNEXPLAINED, "(each data set by itself agrees)"
    worst = max((c.verdict for c in culprits), key=order.index)
    names = ", ".join(c.place for c in culprits)
    return worst, f"(see {names})" if worst is Verdict.UNEXPLAINED else f"what is told of {names}"


def _joint_error(errors: Sequence[float]) -> float:
    """The standard error of a mean of independent means."""
    return sqrt(sum(error**2 for error in errors)) / len(errors)


def shift_numbers(records: pd.DataFrame) -> list[Compared]:
    """The paper's means over shifts and 14 data sets; ours are over those that have all four shifts."""
    rows = main_form(records)
    panels = [_cells(on_panel(rows, panel)) for panel in SHIFTS]
    found = []
    for method in PAPER_METHODS:
        sets = [dataset for dataset in DATASETS if all((dataset, method) in cells for cells in panels)]
        for measure in PAPER_MEASURES if sets else ():
            value = paper_value("uci-summary", "ood", "mean-of-14", method, measure)
            if value is None:
                continue
            parts = [_mean_over_shifts(panels, dataset, method, measure) for dataset in sets]
            mine = Score(float(np.mean([one.mean for one in parts])), nan, nan, 0)
            place = f"under shift, mean over {len(sets)} data sets"
            otherwise = _of_missing_sets([one.mean for one in parts], value)
            scatter = _joint_error([one.error for one in parts])
            found.append(
                judge_number("uci-summary", place, method, measure, mine, value, scatter=scatter, otherwise=otherwise)
            )
    return found


def _of_missing_sets(parts: Sequence[float], published: float) -> tuple[Verdict, str]:
    """Whether the paper's mean is over more data sets is a reason: only if the others need be no unlike ours for it."""
    missing = len(DATASETS) - len(parts)
    if not missing:
        return UNEXPLAINED
    needed = (published * len(DATASETS) - sum(parts)) / missing
    told = f"the paper's mean is over {len(DATASETS)} data sets; those missing here would need {number(needed)}"
    return (Verdict.GUESS, told) if min(parts) <= needed <= max(parts) else (Verdict.UNEXPLAINED, f"({told})")


def _mean_over_shifts(
    panels: Sequence[Mapping[tuple[str, str], pd.DataFrame]], dataset: str, method: str, measure: str
) -> Score:
    """One data set's mean over the four; its `error` is what the scatter would give if folds were drawn at random."""
    scores = [_score(cells[dataset, method], measure) for cells in panels]
    there = [one for one in scores if one is not None]
    return Score(float(np.mean([s.mean for s in there])), nan, _joint_error([s.error for s in there]), 0)


def etl_numbers(records: pd.DataFrame) -> list[Compared]:
    """The paper's tail table: three methods and the normal law."""
    losses = tail_losses(tail_rows(records))
    found = []
    for split, kind in losses.index:
        for method in ("ideal-normal", *losses.columns):
            value = published_etl(split, kind, method)
            if value is None:
                continue
            ours = IDEAL_ETL if method == "ideal-normal" else float(losses.loc[(split, kind), method])
            found.append(_etl_compared(split, kind, method, ours, value))
    return found


def _etl_compared(split: str, kind: str, method: str, ours: float, value: float) -> Compared:
    factor = _ETL_FACTOR[kind]
    ratio = max(ours / value, value / ours) if ours else inf
    verdict, because = Verdict.AGREES, ""
    if ratio > factor:
        verdict = Verdict.GUESS if method in FORMS else Verdict.UNEXPLAINED
        because = FORMS.get(method, "")
    return Compared(
        "etl", f"{split}, {kind} over folds", method, "etl", ours, value, nan, value * (factor - 1), verdict, because
    )
