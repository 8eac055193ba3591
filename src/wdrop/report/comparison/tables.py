"""Scores of all methods as tables: raw ones and calibrated ones apart, like beside like."""

from collections.abc import Sequence

from wdrop.measures import MEASURES
from wdrop.report.comparison.contestant import JUDGE, VARIANTS, Contestant
from wdrop.report.comparison.recommendation import Recommendation
from wdrop.report.tables import Cell, Table

SHOWN = ("crps", "rmse", "nll", "ece", "ws", "coverage", "width")
_SPLITS = {"iid": "rows at random", "label": "shift along the target", "pca": "shift along the features"}


def split_title(split: str) -> str:
    """What a split asks of a method, in words."""
    return _SPLITS.get(split, split)


def scores_tables(contestants: Sequence[Contestant], *, narrow: bool = False) -> list[Table]:
    """For each split a table of the raw forms and one of the calibrated ones, best first.

    narrow  for a terminal: methods by the names that one types, fewer columns
    """
    tables = []
    for split in dict.fromkeys(one.split for one in contestants):
        for variant in VARIANTS:
            chosen = [one for one in contestants if one.split == split and one.variant == variant]
            if chosen:
                tables.append(_scores_table(f"{split_title(split).capitalize()}, {variant}", chosen, narrow))
    return tables


def _scores_table(title: str, contestants: Sequence[Contestant], narrow: bool) -> Table:
    ordered = sorted(contestants, key=lambda one: one.score(JUDGE))
    shown = [name for name in SHOWN if not (narrow and name == "ws")]
    headings = ["covered" if narrow and name == "coverage" else MEASURES[name].heading for name in shown]
    headings = [heading.removeprefix("90 % ") if narrow else heading for heading in headings]
    rows: list[list[str | Cell]] = [
        [one.method if narrow else one.title, *(Cell(one.score(name)) for name in shown), Cell(one.seconds)]
        for one in ordered
    ]
    note = _note(len(ordered[0].folds), sum(one.n_floored for one in ordered))
    return Table(title, ["method", *headings, "seconds"], rows, note)


def _note(n_folds: int, n_floored: int) -> str:
    note = (
        f"Means over {n_folds} folds, at rows that did not train. Lower is better; but 0.9 of values should be covered."
    )
    if not n_floored:
        return note
    return f"{note} {n_floored} values of std were nearly 0, and were raised to a hundred-thousandth of the target's."


def differences_table(recommendation: Recommendation) -> Table:
    """Each rival of the best: how much worse, with its interval, and how sure that is."""
    rows: list[list[str | Cell]] = [
        [one.contestant.name, Cell(one.mean), Cell(one.low), Cell(one.high), Cell(one.p), f"{one.n_worse} of {one.n}",
         "clearly worse" if one.is_clear else "cannot be told apart"]
        for one in recommendation.differences
    ]  # fmt: skip
    heading = MEASURES[JUDGE].heading
    return Table(
        f"{heading} minus that of {recommendation.best.name}",
        ["method", "difference", "95 % from", "to", "p", "worse in folds", "verdict"],
        rows,
        "Paired over folds; standard error of Nadeau and Bengio, p after Holm's correction.",
    )


def fold_records(contestants: Sequence[Contestant]) -> Table:
    """Every score of every fold, for other programs."""
    rows: list[list[str | Cell]] = [
        [one.split, one.method, one.variant, str(fold), *(Cell(float(one.scores[name][i])) for name in MEASURES)]
        for one in contestants
        for i, fold in enumerate(one.folds)
    ]
    return Table("Scores by fold", ["split", "method", "variant", "fold", *MEASURES], rows)


def plain_scores(contestants: Sequence[Contestant]) -> list[dict[str, object]]:
    """Means over folds as plain values, for JSON."""
    return [
        {
            "split": one.split, "method": one.method, "variant": one.variant, "folds": len(one.folds),
            "seconds": round(one.seconds, 3),
            **{name: one.score(name) for name in MEASURES},
        }
        for one in contestants
    ]  # fmt: skip
