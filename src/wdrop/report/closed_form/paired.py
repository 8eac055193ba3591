"""One-pass training against sampled training, fold by fold on the same rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import final

import numpy as np
import pandas as pd
from scipy.stats import t as student

from wdrop.measures import MEASURES
from wdrop.report.closed_form.rows import ONE_PASS, SAMPLED, SAMPLED_MORE, asked, on_tables, own_way
from wdrop.report.tables import Cell, Table, number

TABLES = ("yacht", "energy", "kin8nm", "wine-red")
MEASURED = ("nll", "ece", "ws", "rmse")


@final
@dataclass(frozen=True)
class Paired:
    """The difference to sampled training: above 0 is worse.

    ours, theirs  means over the folds that both have
    low, high     95 % interval of the difference
    n_worse       folds, of `n`, in which ours is worse
    """

    dataset: str
    training: str
    against: str
    measure: str
    ours: float
    theirs: float
    low: float
    high: float
    n_worse: int
    n: int

    @property
    def difference(self) -> float:
        return self.ours - self.theirs

    @property
    def verdict(self) -> str:
        if self.low > 0:
            return "clearly worse"
        if self.high < 0:
            return "clearly better"
        return "worse, within chance" if self.difference > 0 else "not worse"


def comparisons(rows: pd.DataFrame) -> list[Paired]:
    """All pairs with at least two common folds; each training is asked as its method asks."""
    some = on_tables(rows)
    found = []
    for dataset in TABLES:
        of_set = some[some["dataset"] == dataset]
        for against in (SAMPLED, SAMPLED_MORE):
            theirs = _by_fold(of_set, against).add_suffix("_theirs")
            for training in ONE_PASS:
                both = _by_fold(of_set, training).add_suffix("_ours").join(theirs, how="inner")
                if len(both) > 1:
                    found += [_paired(dataset, training, against, measure, both) for measure in MEASURED]
    return found


def _by_fold(rows: pd.DataFrame, training: str) -> pd.DataFrame:
    own = asked(rows[rows["training"] == training], own_way(training))
    return own.groupby(["seed", "fold"])[[*MEASURED, "n_train", "n_judged"]].mean()


def _paired(dataset: str, training: str, against: str, measure: str, both: pd.DataFrame) -> Paired:
    """With the standard error of Nadeau and Bengio (2003): folds share training rows, the plain one is too small."""
    ours, theirs = both[f"{measure}_ours"].to_numpy(float), both[f"{measure}_theirs"].to_numpy(float)
    gaps, n = ours - theirs, len(both)
    ratio = float((both["n_judged_ours"] / both["n_train_ours"]).mean())
    error = sqrt(1 / n + ratio) * float(np.std(gaps, ddof=1))
    reach = error * float(student.ppf(0.975, n - 1)) if np.isfinite(error) else inf
    mean = float(gaps.mean())
    n_worse = int((gaps > 0).sum())
    return Paired(
        dataset, training, against, measure, float(ours.mean()), float(theirs.mean()), mean - reach, mean + reach,
        n_worse, n,
    )  # fmt: skip


def paired_table(found: Sequence[Paired]) -> Table | None:
    """Every comparison with its interval."""
    out: list[Sequence[str | Cell]] = [
        [
            one.dataset,
            one.training,
            one.against,
            MEASURES[one.measure].heading,
            *(Cell(value) for value in (one.ours, one.theirs, one.difference, one.low, one.high)),
            f"{one.n_worse} of {one.n}",
            one.verdict,
        ]
        for one in found
    ]
    headings = [
        "data set", "trained", "against", "measure", "ours", "sampled", "difference", "low", "high", "worse in folds",
        "verdict",
    ]  # fmt: skip
    note = (
        "Random folds, the same for all; one-pass trainings asked in closed form, sampled ones by 200 draws. Above 0 "
        "is worse; 95 % interval with the standard error of Nadeau and Bengio, single comparisons. L = 5 is what "
        "tables have by default and aims at 0.70 of the true std; L = 9 aims at the same std as the closed form."
    )
    return Table("One-pass training against sampled training, fold by fold", headings, out, note) if out else None


def worse_in_words(found: Sequence[Paired], against: str = SAMPLED) -> list[str]:
    """For each one-pass training: where it is worse, and by how much."""
    told = []
    for training in ONE_PASS:
        some = [one for one in found if (one.training, one.against) == (training, against)]
        if some:
            parts = [
                f"{verdict}: {', '.join(_in_words(one) for one in some if one.verdict == verdict)}"
                for verdict in ("clearly worse", "worse, within chance", "clearly better")
                if any(one.verdict == verdict for one in some)
            ]
            names = ", ".join(dict.fromkeys(one.dataset for one in some))
            told.append(f"{training} against {against} on {names}: {'; '.join(parts) or 'nowhere worse'}.")
    return told


def _in_words(one: Paired) -> str:
    change = f"{one.difference:+.3f}"
    return f"{one.dataset} {MEASURES[one.measure].heading} {change} ({number(one.theirs)} to {number(one.ours)})"
