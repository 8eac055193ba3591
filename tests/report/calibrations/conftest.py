"""Records as the calibration study would leave them, made up so that one way is best by a known margin."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wdrop.report.calibrations.rows import TABLES

Make = Callable[..., pd.DataFrame]

CHOOSING = ("yacht", "boston", "diabetes", "energy", "abalone", "power")
WAYS = ("raw", "scale", "robust_scale", "ensemble raw", "ensemble scale")
FACTORS: Mapping[str, float] = {
    "raw": 2.0, "scale": 1.2, "robust_scale": 1.0, "ensemble raw": 1.8, "ensemble scale": 1.1,
}  # fmt: skip


@pytest.fixture
def make_records() -> Make:
    """Build records; ECE and WS are the way's factor times a table's own level, ensembles better RMSE by a tenth."""

    def make(
        datasets: Sequence[str] = TABLES,
        methods: Sequence[str] = ("w_dropout", "w_dropout_closed", "pu"),
        splits: Sequence[str] = ("iid",),
        *,
        ways: Sequence[str] = WAYS,
        factors: Mapping[str, Mapping[str, float]] | None = None,
        group: str | None = None,
        variant: str = "",
    ) -> pd.DataFrame:
        """`factors` by half ("choose", "confirm"), where they are not those above."""
        rows: list[dict[str, Any]] = []
        for dataset, split, method in itertools.product(datasets, splits, methods):
            half = "choose" if dataset in CHOOSING else "confirm"
            of_way = (factors or {}).get(half, FACTORS)
            rng = np.random.default_rng([TABLES.index(dataset), len(method), len(split)])
            name = group or (half if split == "iid" else f"{half}_shift")
            for fold, way in itertools.product((0, 5), ways):
                level = of_way[way] * (1 + 0.01 * rng.random()) * (1.0 if split == "iid" else 1.5)
                rows.append({
                    "key": f"{name}-{dataset}-{split}-{method}-{variant}", "group": name, "dataset": dataset,
                    "split": split, "split_kind": "iid" if split == "iid" else "extra" if fold == 0 else "inter",
                    "method": method, "variant": variant, "seed": 0, "status": "done", "error": "", "seconds": 3.0,
                    "fold": fold, "part": "test", "n_train": 900, "n_judged": 100, "way": way,
                    "rmse": 0.27 if way.startswith("ensemble") else 0.3, "nll": level - 2, "ece": 0.4 * level,
                    "ece_rounded": 0.41 * level, "ws": 0.2 * level, "etl": 3 * level, "crps": 0.1 * level,
                    "coverage": 0.9, "calibration_scale": 2.0 if way.endswith("scale") else np.nan,
                })  # fmt: skip
        return pd.DataFrame(rows)

    return make
