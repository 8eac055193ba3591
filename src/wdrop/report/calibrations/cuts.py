"""How the inner folds are cut: a knob between sharp and safe."""

from collections.abc import Sequence

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.scores import PANELS, on_panel
from wdrop.report.calibrations.rows import CUTS, datasets_in, main_rows
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import Cell, Table

RANDOM = "random"
_MEASURES = ("nll", "ece", "ws", "etl", "coverage")
_KEYS = ["method", "dataset", "split", "fold", "seed"]


def cuts_table(rows: pd.DataFrame, way: str) -> Table | None:
    """Means over tables in each circumstance, for random cuts and those along a direction; None if none was run.

    The folds are those that every cut has: the networks that predict are then the same.
    """
    there = pd.concat([main_rows(rows).assign(variant=RANDOM), rows[rows["group"].isin(CUTS)]])
    there = there[there["way"] == way]
    variants = list(there["variant"].unique())
    counts = there.groupby(_KEYS)["variant"].transform("nunique")
    there = there[counts == len(variants)]
    if len(variants) < 2 or there.empty:
        return None
    out: list[Sequence[str | Cell]] = []
    for panel in PANELS:
        here = on_panel(there, panel)
        by_table = here.groupby(["variant", "dataset"], sort=False)[list(_MEASURES)].mean()
        means = by_table.groupby(level="variant").mean()
        out += [
            [panel, variant, *(Cell(float(means.loc[variant, name])) for name in _MEASURES)]
            for variant in variants
            if variant in means.index
        ]
    methods = ", ".join(METHOD_LABELS.get(str(name), str(name)) for name in there["method"].unique())
    sets = ", ".join(datasets_in(there.set_index(["method", "dataset"])))
    note = f"{methods}, {way}; the same networks predict, only the scale of std differs. Means over {sets}."
    headings = ["circumstance", "inner folds", *(MEASURES[name].heading for name in _MEASURES)]
    return Table("How the inner folds are cut", headings, out, note)
