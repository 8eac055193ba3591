"""The rows where the model was furthest off, in units of its own std."""

import numpy as np

from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.std_by_feature import top_features
from wdrop.report.tables import Cell, Table

N_WORST = 20
_N_FEATURES = 4


def worst_table(forecasts: Forecasts, n: int = N_WORST) -> Table:
    """The n rows with the largest |z|, with the features that std depends on most."""
    z = forecasts.z
    order = np.argsort(-np.abs(z), kind="stable")[:n]
    chosen = top_features(forecasts, _N_FEATURES)
    rows: list[list[str | Cell]] = [
        [
            str(forecasts.rows[i]),
            *(Cell(float(values[i])) for values in (forecasts.truth, forecasts.mean, forecasts.std, z)),
            *(Cell(float(forecasts.x[i, j])) for j in chosen),
        ]
        for i in order
    ]
    headings = ["row", forecasts.target, "mean", "std", "stds off", *(forecasts.features[j] for j in chosen)]
    note = "Stds off: how far the mean lies above the value, in units of std. Begin here when looking for wrong data."
    return Table(f"The {len(rows)} rows that surprised the model most", headings, rows, note)
