"""How far raw std is off: the factor that residuals at unseen rows ask for."""

from collections.abc import Sequence
from math import nan

import numpy as np
import pandas as pd

from wdrop.report.benchmark.scores import on_panel
from wdrop.report.calibrations.rows import datasets_in, main_rows, methods_in
from wdrop.report.figures import METHOD_LABELS
from wdrop.report.tables import Cell, Table

_FACTOR = "calibration_scale"


def factors_table(rows: pd.DataFrame) -> Table | None:
    """The factor of `scale` for each method and table, geometric mean over folds; None if none was recorded."""
    there = on_panel(main_rows(rows), "test")
    there = there[there["way"] == "scale"]
    if there.empty or _FACTOR not in there:
        return None
    factors = np.exp(np.log(there[_FACTOR]).groupby([there["method"], there["dataset"]]).mean())
    frame = factors.to_frame()
    datasets, methods = datasets_in(frame), methods_in(frame)
    out: list[Sequence[str | Cell]] = [
        [METHOD_LABELS.get(name, name), *(Cell(float(factors.get((name, dataset), nan))) for dataset in datasets)]
        for name in methods
    ]
    note = "By how much `scale` multiplies std, geometric mean over random folds: above 1, raw std was too small."
    return Table("How far raw std is off", ["method", *datasets], out, note)
