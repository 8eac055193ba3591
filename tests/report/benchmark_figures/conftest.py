import numpy as np
import pandas as pd
import pytest

KINDS = {"iid": ("iid",), "label": ("inter", "extra"), "pca": ("inter", "extra")}


@pytest.fixture
def records() -> pd.DataFrame:
    """Two methods on four data sets, two folds in each circumstance; every score is its own."""
    rng = np.random.default_rng(0)
    rows = [
        {
            "dataset": dataset, "split": split, "split_kind": kind, "method": method, "variant": "", "status": "done",
            "fold": fold, "part": part, "rmse": rng.uniform(0.2, 1), "nll": rng.normal(), "ece": rng.uniform(0.2, 1),
            "ws": rng.uniform(0.1, 1), "ks": rng.uniform(0.1, 0.5),
        }
        for method in ("w_dropout", "mc_dropout")
        for dataset in ("yacht", "boston", "energy", "concrete")
        for split, kinds in KINDS.items()
        for kind in kinds
        for fold in (0, 1)
        for part in ("train", "test")
    ]  # fmt: skip
    return pd.DataFrame(rows)
