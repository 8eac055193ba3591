"""Records as a study would leave them, made up around the paper's own numbers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wdrop.report.benchmark.paper import n_folds, paper_value
from wdrop.report.benchmark.scores import PAPER_METHODS, SMALL

Make = Callable[..., pd.DataFrame]


def _folds(dataset: str) -> list[int]:
    return list(range(10)) if n_folds(dataset) == 10 else [0, 3, 5, 7, 9]


def _rows(
    group: str, dataset: str, split: str, method: str, seed: int, variant: str, noise: float
) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng([len(dataset), len(method), len(split), seed])
    folds = _folds(dataset)
    table, kind_of_split = ("toy", "test") if dataset.startswith("toy") else ("uci", "iid-test")
    mean = {
        measure: paper_value(table, kind_of_split, dataset, method, measure) or 0.0
        for measure in ("rmse", "nll", "ece", "ws")
    }
    worse = {"iid": 1.0, "label": 1.6, "pca": 1.3}[split]
    for fold in folds:
        kind = "iid" if split == "iid" else "extra" if fold in (folds[0], folds[-1]) else "inter"
        for part in ("train", "test"):
            wiggle = 1 + noise * rng.standard_normal()
            stretch = worse * (1.3 if kind == "extra" else 1.0) if part == "test" else 0.7
            scores = {name: value * wiggle * (stretch if value > 0 else 1) for name, value in mean.items()}
            yield {
                "key": f"{group}-{dataset}-{split}-{method}-{variant}-{seed}", "group": group, "dataset": dataset,
                "split": split, "split_kind": kind, "method": method, "variant": variant, "seed": seed,
                "status": "done", "error": "", "seconds": (5.0 if method == "w_dropout" else 2.0) * len(folds),
                "fold": fold, "part": part, "n_train": 900, "n_judged": 100, "n_test": 100, **scores,
                "ece_rounded": scores["ece"], "etl": 4 * stretch * wiggle, "ks": 0.1, "crps": scores["rmse"] / 2,
                "coverage": 0.85, "std_mean": 0.2 * stretch, "std_q10": 0.1, "std_q90": 0.4,
                "tail_error_worst": 3 * scores["rmse"], "tail_error_rest": scores["rmse"],
            }  # fmt: skip


@pytest.fixture
def make_records() -> Make:
    """Build records for data sets, methods and splits; i.i.d. scores scatter around the published ones."""

    def make(
        datasets: Sequence[str] = SMALL,
        methods: Sequence[str] = PAPER_METHODS,
        splits: Sequence[str] = ("iid",),
        *,
        group: str | None = None,
        variant: str = "",
        seeds: Sequence[int] = (0,),
        noise: float = 0.02,
    ) -> pd.DataFrame:
        rows: list[dict[str, Any]] = []
        for dataset in datasets:
            size = "toys" if dataset.startswith("toy") else "small" if dataset in SMALL else "large"
            for split in splits:
                plain = size if split == "iid" or size == "toys" else f"{size}_shift"
                for method in methods:
                    for seed in seeds:
                        rows += _rows(group or plain, dataset, split, method, seed, variant, noise)
        return pd.DataFrame(rows)

    return make
