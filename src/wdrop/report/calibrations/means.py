"""Every method under one way: means over data sets, and each data set by itself, with floors beside."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import final

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.scores import SHIFTS, floor_of, on_panel
from wdrop.report.calibrations.rows import (
    SHOWN,
    datasets_in,
    floors,
    iid_scores,
    main_rows,
    methods_in,
    shifted_scores,
)
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.lowest import lowest_of
from wdrop.report.tables import Cell, Table

HEADINGS = [MEASURES[name].heading for name in SHOWN]
PERFECT = "perfect forecaster"
_WITH_FLOOR = ("ece", "ws", "etl")


@final
@dataclass(frozen=True, eq=False)
class Place:
    """Where methods are judged: on random folds, or under shift.

    name    as it stands in the names of files
    scores  a row for each method, data set and way
    rows    the records behind, for their sizes
    """

    name: str
    title: str
    scores: pd.DataFrame
    rows: pd.DataFrame

    def under(self, way: str) -> pd.DataFrame:
        """The scores of one way: a row for each method and data set."""
        return self.scores[self.scores.index.get_level_values("way") == way].droplevel("way")


def iid_place(rows: pd.DataFrame) -> Place:
    """Random folds of both halves."""
    there = main_rows(rows)
    return Place("iid", "i.i.d.", iid_scores(there), on_panel(there, "test"))


def shifted_place(rows: pd.DataFrame) -> Place:
    """Label and PCA splits of both halves."""
    there = main_rows(rows)
    return Place("shift", "Under shift", shifted_scores(there), pd.concat([on_panel(there, panel) for panel in SHIFTS]))


def complete(scores: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The methods that have all data sets of the one that has most, and those left out.

    Means over different data sets do not compare. `scores` has a row for each method and data set.
    """
    if scores.empty:
        return scores, []
    sets = {name: set(scores.xs(name, level="method").index) for name in methods_in(scores)}
    most = max(sets.values(), key=len)  # the first of them, in the order of our tables
    kept = [name for name, own in sets.items() if own >= most]
    methods, datasets = (scores.index.get_level_values(level) for level in ("method", "dataset"))
    return scores[methods.isin(kept) & datasets.isin(list(most))], [name for name in sets if name not in kept]


def means_table(place: Place, way: str) -> Table | None:
    """Means over data sets, a row for each method, and what a perfect forecaster scores; None if nothing was run."""
    scores, left_out = complete(place.under(way))
    if scores.empty:
        return None
    datasets = datasets_in(scores)
    by_method = scores.groupby(level="method").mean()
    floor = floors(place.rows, datasets)
    rows: list[Sequence[str | Cell]] = [[_label(name), *_cells(by_method, name)] for name in methods_in(scores)]
    perfect: list[str | Cell] = [PERFECT, *(Cell(floor[name]) for name in SHOWN)]
    note = f"Means over {', '.join(datasets)}."
    if left_out:
        note += f" Left out, as they were not run on all of them: {', '.join(map(_label, left_out))}."
    return Table(
        f"{place.title}: every method, {told(way)}", ["method", *HEADINGS], rows, note, [perfect], lowest_of(SHOWN)
    )


def per_table(place: Place, way: str) -> Table | None:
    """Scores on each data set, a row for each method and the floors of its folds; None if nothing was run."""
    scores = place.under(way)
    if scores.empty:
        return None
    rows: list[Sequence[str | Cell]] = []
    for dataset in datasets_in(scores):
        here = scores[scores.index.get_level_values("dataset") == dataset].droplevel("dataset")
        own = place.rows[place.rows["dataset"] == dataset]
        rows += [[dataset, _label(name), *_cells(here, name)] for name in methods_in(scores) if name in here.index]
        ideal = [Cell(floor_of(own, name) if name in _WITH_FLOOR else nan) for name in SHOWN]
        rows.append([dataset, PERFECT, *ideal])
    title = f"{place.title}: every data set, {told(way)}"
    return Table(title, ["data set", "method", *HEADINGS], rows, "Means over folds, in standardised units.")


def told(way: str) -> str:
    """A way in words: what calibrates, and who predicts."""
    who, _, name = way.rpartition(" ")
    return f"{name}, inner networks as an ensemble" if who else name


def _label(method: str) -> str:
    return METHOD_LABELS.get(method, method)


def _cells(scores: pd.DataFrame, method: str) -> list[Cell]:
    return [Cell(float(scores[name][method])) for name in SHOWN]
