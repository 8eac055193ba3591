"""All ways side by side: ranks and scores on both halves, what was chosen, and whether it was confirmed."""

from collections.abc import Sequence
from math import nan
from types import MappingProxyType

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.calibrations.choice import Choice
from wdrop.report.calibrations.confirmation import Confirmed
from wdrop.report.calibrations.rows import choosing, confirming, datasets_in, iid_scores
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import Cell, Table, number

_WORDS = MappingProxyType(
    {
        "raw": "std as it is",
        "scale": "std times one factor",
        "robust_scale": "std times one factor that the wildest residuals do not move",
        "quantile_scale": "std times the factor that puts 68.27 % of the residuals within it",
        "added_noise": "std times a factor, and noise on top",
        "robust_added_noise": "std times a factor, and noise on top, neither moved by the wildest residuals",
        "isotonic": "the shape that the residuals had",
        "conformal": "std and intervals as wide as the residuals ask",
    }
)
"""What calibrates; residuals are always those at rows of the inner folds that had not trained."""
_MEASURES = ("nll", "ece", "ws", "crps", "rmse", "coverage")


def way_in_words(way: str) -> str:
    """A way as one tells it to somebody who does not know its name."""
    who, _, name = way.rpartition(" ")
    told = _WORDS.get(name, name)
    return f"{told}, the networks of the inner folds predicting together" if who else f"{told}, one network predicting"


def ways_table(title: str, rows: pd.DataFrame, choice: Choice) -> Table:
    """Every way, best rank first: its mean rank, and its means over methods and tables of either half."""
    halves = [_means(half(rows), choice.methods) for half in (choosing, confirming)]
    out: list[Sequence[str | Cell]] = [
        [way, Cell(rank), *(cell for means, _ in halves for cell in _row(means, way))]
        for way, rank in ((str(name), float(value)) for name, value in choice.ranks.items())
    ]
    names = ("choosing", "confirming")
    headings = ["way", "mean rank", *(f"{MEASURES[name].heading}, {half}" for half in names for name in _MEASURES)]
    told = "; ".join(
        f"{half} tables: {', '.join(sets) or 'none yet'}" for half, (_, sets) in zip(names, halves, strict=True)
    )
    methods = ", ".join(METHOD_LABELS.get(name, name) for name in choice.methods)
    note = f"Random folds. Means over methods ({methods}) and tables. {told}. Only the choosing tables are ranked."
    return Table(title, headings, out, note)


def _means(rows: pd.DataFrame, methods: Sequence[str]) -> tuple[pd.DataFrame, list[str]]:
    """Means over the pairs of method and table that have all ways, and the tables."""
    scores = iid_scores(rows, _MEASURES)
    scores = scores[scores.index.get_level_values("method").isin(list(methods))]
    n_ways = scores.index.get_level_values("way").nunique()
    whole = scores.groupby(level=["method", "dataset"]).filter(lambda some: len(some) == n_ways)
    return whole.groupby(level="way").mean(), datasets_in(whole)


def _row(means: pd.DataFrame, way: str) -> list[Cell]:
    return [Cell(float(means[name].get(way, nan))) for name in _MEASURES]


def confirmation_table(title: str, confirmed: Sequence[Confirmed]) -> Table:
    """Each contest and measure: the difference, how sure it is, how often it was better, and the verdict."""
    out: list[Sequence[str | Cell]] = [
        [
            one.way, one.other, MEASURES[one.measure].heading, Cell(one.mean), Cell(one.error),
            f"{one.sets_better} of {one.n_sets}", f"{one.folds_better} of {one.n_folds}", one.verdict,
        ]
        for one in confirmed
    ]  # fmt: skip
    headings = ["way", "against", "measure", "difference", "±", "better on tables", "better in folds", "verdict"]
    note = (
        "Confirming tables, random folds. Difference: of the same fold of the same method, mean over methods, folds "
        "and tables; below zero the first is better. ±: standard error from the folds. Confirmed or contradicted: "
        "beyond two of them."
    )
    return Table(title, headings, out, note)


def choice_text(who: str, choice: Choice, confirmed: Sequence[Confirmed]) -> str:
    """What was chosen for whom, by how much, and what the other tables say of it."""
    second = str(choice.ranks.index[1]) if len(choice.ranks) > 1 else None
    ranks = [number(rank) for rank in choice.ranks.tolist()]
    runner_up = f", before {second} ({ranks[1]})" if second else ""
    against = [one for one in confirmed if (one.way, one.other) == (choice.best, "raw")]
    verdicts = "; ".join(
        f"{MEASURES[one.measure].heading} {one.mean:+.3f}, {one.verdict}" for one in against if one.measure != "rmse"
    )
    kinds = " and ".join(
        f"{way} if {what}"
        for way, what in ((choice.refit, "one network predicts"), (choice.ensemble, "the inner networks do"))
        if way is not None
    )
    return (
        f"{who}: {choice.best}, mean rank {ranks[0]} of {len(choice.ranks)} over {choice.n_cells} pairs of method and "
        f"table{runner_up}; {kinds}. "
        + (f"On the confirming tables, against raw: {verdicts}." if verdicts else "Nothing confirms it yet.")
    )
