"""Whether a choice holds on tables that had no say in it: from differences fold by fold."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any, final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wdrop.measures import MEASURES
from wdrop.report.benchmark.scores import on_panel
from wdrop.report.calibrations.choice import Choice
from wdrop.report.calibrations.rows import confirming

CONFIRMED = ("rmse", "nll", "ece", "ws", "crps")
_CLEAR = 2.0  # standard errors


@final
@dataclass(frozen=True)
class Confirmed:
    """By how much one way scores better (below zero) than another, on the confirming tables.

    mean        over tables, of the means over folds; a fold's difference is the mean over methods
    error       its standard error, from the folds of each table; NaN where a table has only one
    sets_better, n_sets, folds_better, n_folds  how often it was better
    """

    way: str
    other: str
    measure: str
    mean: float
    error: float
    sets_better: int
    n_sets: int
    folds_better: int
    n_folds: int

    @property
    def verdict(self) -> str:
        """What these folds say of the choice."""
        if self.folds_better == 0 and self.mean == 0:
            return "equal"
        if not abs(self.mean) > _CLEAR * self.error:
            return "cannot be told"
        return "confirmed" if self.mean < 0 else "contradicted"


def contests(choice: Choice) -> list[tuple[str, str]]:
    """The pairs to confirm: the choice against nothing, against the plain scale, and ensemble against refit."""
    pairs = [(choice.best, "raw"), (choice.refit, "raw"), (choice.refit, "scale"), (choice.ensemble, choice.refit)]
    told = [(way, other) for way, other in pairs if way is not None and other is not None and way != other]
    return list(dict.fromkeys(told))


def confirm(rows: pd.DataFrame, choice: Choice) -> list[Confirmed]:
    """The choice's contests, measure by measure, on random folds of the confirming tables as far as they were run."""
    there = on_panel(confirming(rows), "test")
    there = there[there["method"].isin(list(choice.methods))]
    found = [_confirmed(there, way, other, name) for way, other in contests(choice) for name in CONFIRMED]
    return [one for one in found if one is not None]


def confirmed_in_words(confirmed: Sequence[Confirmed]) -> str:
    """What the tables that had no say tell of the choice against raw, RMSE apart."""
    against = [one for one in confirmed if one.other == "raw" and one.measure != "rmse" and one.way == confirmed[0].way]
    if not against:
        return "Nothing confirms it yet."
    told = ", ".join(f"{MEASURES[one.measure].heading} {one.mean:+.2f}" for one in against)
    verdicts = {one.verdict for one in against}
    judged = (
        "all confirmed"
        if verdicts == {"confirmed"}
        else "; ".join(f"{MEASURES[one.measure].heading}: {one.verdict}" for one in against)
    )
    return f"On tables that had no say in the choice, against raw: {told} ({judged})."


def _confirmed(rows: pd.DataFrame, way: str, other: str, measure: str) -> Confirmed | None:
    differences = _differences(rows, way, other, measure)
    if differences.empty:
        return None
    by_set = [some.to_numpy(dtype=float) for _, some in differences.groupby(level="dataset", sort=False)]
    means = [float(values.mean()) for values in by_set]
    return Confirmed(
        way, other, measure, float(np.mean(means)), _joint_error(by_set),
        sum(mean < 0 for mean in means), len(means), int((differences < 0).sum()), len(differences),
    )  # fmt: skip


def _differences(rows: pd.DataFrame, way: str, other: str, measure: str) -> "pd.Series[float]":
    """For each fold of each table, way less other, mean over methods: like is compared with like."""
    keys = ["dataset", "seed", "fold"]
    wide = rows[rows["way"].isin([way, other])].pivot_table(index=[*keys, "method"], columns="way", values=measure)
    if way not in wide or other not in wide:
        return pd.Series(dtype=float)
    return (wide[way] - wide[other]).dropna().groupby(level=keys).mean()


def _joint_error(by_set: Sequence[NDArray[Any]]) -> float:
    if any(len(values) < 2 for values in by_set):
        return nan
    return sqrt(sum(float(values.var(ddof=1)) / len(values) for values in by_set)) / len(by_set)
