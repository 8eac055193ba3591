"""Every fold that was tested as a dot that tells its run."""

from typing import Any

import pandas as pd

from wdrop.report.benchmark_figures.dependencies import stretched_normals
from wdrop.report.figures import METHOD_COLOURS, METHOD_LABELS
from wdrop.report.scatter import Axis, Dot, Scatter
from wdrop.report.tables import number


def folds_scatter(records: pd.DataFrame) -> Scatter:
    """WS against ECE, with the curve of a std that is wrong everywhere by one factor."""
    tested = records[(records["part"] == "test") & (records["variant"] == "")]
    curve = stretched_normals()
    line = [(float(w), float(e)) for w, e in zip(curve.ws, curve.ece, strict=True) if 0.02 <= w <= 20]
    axes = Axis("WS", 0.02, 20, is_log=True), Axis("ECE", 0, 2)
    note = "The line is what a std too small or too large everywhere by one factor would give."
    dots = [_dot({str(key): value for key, value in row.items()}) for row in tested.to_dict("records")]
    return Scatter("Every fold that was tested", *axes, dots, [line], note)


def _dot(row: dict[str, Any]) -> Dot:
    method = METHOD_LABELS.get(row["method"], row["method"])
    where = f"{method} on {row['dataset']}, {row['split']}, fold {row['fold']:.0f}, seed {row['seed']}"
    scores = ", ".join(f"{name.upper()} {number(row[name])}" for name in ("ws", "ece", "nll", "rmse"))
    colour = METHOD_COLOURS.get(row["method"], "#888888")
    return Dot(float(row["ws"]), float(row["ece"]), method, colour, f"{where}\n{scores}\nrun {row['key']}")
