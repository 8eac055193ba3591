"""The one idea.

A method is fitted to points and gives a predictor. A predictor turns inputs into a prediction.
A measure reads a prediction and the truth and gives a number.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor

from wdrop._checks import all_finite, matrix, same_shape


@final
@dataclass(frozen=True, eq=False)
class Points:
    """Inputs and what was observed there.

    x  (n, f)
    y  (n, d), also when d = 1
    """

    x: Tensor
    y: Tensor

    def __post_init__(self) -> None:
        matrix("x", self.x, "(n, f)")
        matrix("y", self.y, "(n, d), also when d = 1")
        if len(self.x) != len(self.y):
            raise ValueError(f"expected as many rows in x as in y, got {len(self.x)} and {len(self.y)}")
        all_finite(x=self.x, y=self.y)

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, rows: Tensor | slice) -> "Points":
        return Points(self.x[rows], self.y[rows])

    def to(self, target: torch.device | torch.dtype) -> "Points":
        return Points(self.x.to(target), self.y.to(target))


@final
@dataclass(frozen=True, eq=False)
class Prediction:
    """What is expected, and how far off it is expected to be.

    mean       (n, d)
    std        (n, d), >= 0, in the units of y
    samples    (s, n, d), the draws behind both, where the predictor has any and was asked to keep them
    aleatoric  (n, d), the part of std that is noise in the data, where the method can tell: std² is the sum of
    epistemic  (n, d), squares of this and the part that is doubt about the mean
    """

    mean: Tensor
    std: Tensor
    samples: Tensor | None = None
    aleatoric: Tensor | None = None
    epistemic: Tensor | None = None

    def __post_init__(self) -> None:
        same_shape(mean=self.mean, std=self.std)

    @classmethod
    def of_parts(
        cls, mean: Tensor, aleatoric: Tensor, epistemic: Tensor, samples: Tensor | None = None
    ) -> "Prediction":
        """The prediction whose std is made of noise and doubt."""
        return cls(mean, torch.hypot(aleatoric, epistemic), samples, aleatoric, epistemic)


class Predictor(ABC):
    """A fitted method."""

    @property
    def facts(self) -> Mapping[str, float]:
        """What fitting found out besides the weights, such as learned drop rates; a study records it."""
        return {}

    @abstractmethod
    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        """Mean and std at each row of x (n, f): (n, d).

        Predictors that draw take `generator` (None: torch's global stream) and may keep their samples;
        the others need neither.
        """
