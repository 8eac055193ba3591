"""The problems that all contenders are given: the same arrays, with noise of known size.

Only numpy is needed, since every contender has it. Inputs are uniform, the mean is a sum of waves with one product of
two features, and the noise grows along the first feature, so that a constant std is wrong everywhere. Inputs and
targets are of order one: nobody needs to scale them, and who does loses nothing.
"""

import hashlib
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

N_TEST = 10_000


@final
@dataclass(frozen=True)
class Problem:
    """How many training points of how many features."""

    n_train: int
    n_features: int

    @property
    def title(self) -> str:
        return f"{self.n_train:,} × {self.n_features}"


PROBLEMS = MappingProxyType({"small": Problem(1_000, 1), "middle": Problem(10_000, 8), "large": Problem(100_000, 20)})


def true_mean(x: NDArray[Any]) -> NDArray[Any]:
    """What y is on average at each row: (n,)."""
    x = x.astype(np.float64)
    scale = 1 / np.sqrt(x.shape[1])
    waves = np.sin(2.0 * x).sum(1) * scale
    return waves + (0.5 * x[:, 0] * x[:, -1] if x.shape[1] > 1 else 0.5 * np.cos(3.0 * x[:, 0]))


def true_std(x: NDArray[Any]) -> NDArray[Any]:
    """How far y scatters at each row: (n,), from 0.05 to 0.45."""
    return 0.05 + 0.1 * (x[:, 0].astype(np.float64) + 2.0)


def arrays(problem: Problem, *, n_test: int = N_TEST) -> dict[str, Array]:
    """Training and test points; `test_mean` and `test_std` are what a perfect forecaster would say."""
    stream = np.random.default_rng([problem.n_train, problem.n_features])
    points: dict[str, Array] = {}
    for part, n in (("train", problem.n_train), ("test", n_test)):
        x = (4 * stream.random((n, problem.n_features), dtype=np.float32) - 2).astype(np.float32)
        y = true_mean(x) + true_std(x) * stream.standard_normal(n)
        points[f"{part}_x"], points[f"{part}_y"] = x, y.astype(np.float32)
    points["test_mean"] = true_mean(points["test_x"]).astype(np.float32)
    points["test_std"] = true_std(points["test_x"]).astype(np.float32)
    return points


def fingerprint(points: dict[str, Array]) -> str:
    """Twelve letters that tell the inputs apart.

    Only the inputs: they are exact on every machine, while sines may differ in their last bit.
    """
    digest = hashlib.sha256(points["train_x"].tobytes() + points["test_x"].tobytes())
    return digest.hexdigest()[:12]
