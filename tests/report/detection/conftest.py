import itertools
from typing import Any

import pandas as pd
import pytest

DATASETS = ("kitti-mini", "carla")
METHODS = (("mc", ""), ("wasserstein", ""), ("closed_form", ""), ("wasserstein", "L=10"))


@pytest.fixture
def records() -> pd.DataFrame:
    """Made-up records of two seeds: on each score MC is 2, W 1, closed form 0.5; a wrong row for each would show."""
    worth = {"mc": 2.0, "wasserstein": 1.0, "closed_form": 0.5}
    rows = []
    for dataset, (method, variant), seed in itertools.product(DATASETS, METHODS, (0, 1)):
        if variant and dataset != "kitti-mini":
            continue
        for tested, part, corruption, protocol, coordinate in _judged(dataset):
            score = worth[method] * (1 + 0.1 * seed) * (3 if protocol == "closed_form" else 1)
            score *= 5 if tested != dataset else 1
            row: dict[str, Any] = {
                "status": "done",
                "group": "main",
                "dataset": dataset,
                "method": method,
                "variant": variant,
            }
            row |= {"seed": seed, "fold": 0, "part": part, "tested_on": tested, "corruption": corruption}
            row |= {"protocol": protocol, "coordinate": coordinate, "step": 100, "n_matched": 1234, "recall": 0.75}
            row |= {"miou": 0.5 + 0.01 * seed, "rmse": score, "std": score, "seconds": 1.0, "backbone": "random"}
            for name in ("nll", "ece", "ws", "etl"):
                row |= {
                    name: score,
                    f"{name}_scaled": score / 2,
                    f"{name}_low": score - 0.1,
                    f"{name}_high": score + 0.1,
                }
            row |= {f"{name}_{end}": 0.4 for name in ("miou", "rmse", "recall") for end in ("low", "high")}
            row |= {f"factor_{name}": 1.5 for name in "xywh"}
            rows.append(row)
        for step in (50, 100):
            rows.append({**row, "part": "along", "step": step, "tested_on": dataset, "coordinate": "all"})
    return pd.DataFrame(rows)


def _judged(dataset: str) -> list[tuple[str, str, str, str, str]]:
    found = []
    for protocol, coordinate in itertools.product(("samples-kmeans", "closed_form"), ("all", "x", "y", "w", "h")):
        found += [(dataset, part, "clean", protocol, coordinate) for part in ("test", "train")]
        found += [(dataset, "test", f"{name} 1", protocol, coordinate) for name in ("defocus-blur", "gaussian-noise")]
        found += [(other, "test", "clean", protocol, coordinate) for other in DATASETS if other != dataset]
    return found
