from typing import Any

import pandas as pd
import pytest

METHODS = {
    "sampled, L = 5": ("w_dropout", "L=5"),
    "closed form": ("w_dropout_closed", ""),
    "last layer": ("w_dropout_last_layer", ""),
}


def record(training: str, way: str, **more: Any) -> dict[str, Any]:
    """A row as a run leaves it."""
    method, variant = METHODS[training]
    usual = {
        "status": "done", "group": "small", "dataset": "yacht", "split": "iid", "split_kind": "iid", "part": "test",
        "method": method, "variant": variant, "seed": 0, "fold": 0, "n_train": 900, "n_judged": 100, "n_floored": 0,
        "way": way, "nll": 0.0, "ece": 0.5, "ws": 0.5, "rmse": 0.3, "std_mean": 0.2,
    }  # fmt: skip
    return {**usual, **more}


@pytest.fixture
def records() -> pd.DataFrame:
    """Closed form trained: NLL worse by 0.1 in each of three folds, gap 30 %; last layer: gap 1 %, twice the std."""
    rows = []
    for fold, noise in enumerate((0.0, 0.4, -0.2)):
        for training, nll, gap in (
            ("sampled, L = 5", 0.0, 0.04),
            ("closed form", 0.1, 0.3),
            ("last layer", -0.1, 0.01),
        ):
            told = {"nll": nll + noise + 0.001 * fold * (nll > 0), "ws": 0.5 + nll, "fold": fold}
            rows.append(record(training, "10000 draws", **told))
            rows.append(record(training, "200 draws", **told, gap_median=0.05, gap_q95=0.1))
            rows.append(record(training, "closed_form", **told, gap_median=gap, gap_q95=2 * gap))
    return pd.DataFrame(rows)
