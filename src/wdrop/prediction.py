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

    x       (n, f)
    y       (n, d), also when d = 1
    weight  (n, d), >= 0: how often each value counts, 0 where none was observed; None counts each once
    """

    x: Tensor
    y: Tensor
    weight: Tensor | None = None

    def __post_init__(self) -> None:
        matrix("x", self.x, "(n, f)")
        matrix("y", self.y, "(n, d), also when d = 1")
        if len(self.x) != len(self.y):
            raise ValueError(f"expected as many rows in x as in y, got {len(self.x)} and {len(self.y)}")
        all_finite(x=self.x, y=self.y)
        if self.weight is not None:
            same_shape(weight=self.weight, y=self.y)
            all_finite(weight=self.weight)
            if (self.weight < 0).any():
                raise ValueError(f"expected weights of at least 0, got {float(self.weight.min())}")

    @classmethod
    def with_gaps(cls, x: Tensor, y: Tensor, weight: Tensor | None = None) -> "Points":
        """Points where NaN in y means not observed: its weight is 0, and the target's mean fills its place."""
        seen = ~y.isnan()
        if seen.all():
            return cls(x, y, weight)
        weight = seen.to(y.dtype) if weight is None else weight * seen
        filled = y.where(seen, 0.0)
        mean = (filled * weight).sum(0) / weight.sum(0).clamp_min(torch.finfo(y.dtype).tiny)
        return cls(x, y.where(seen, mean), weight)

    @property
    def size(self) -> float:
        """How many observations there are: the rows, or the sum of their weights, averaged over targets."""
        return float(len(self)) if self.weight is None else float(self.weight.sum(0).mean())

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, rows: Tensor | slice) -> "Points":
        return Points(self.x[rows], self.y[rows], None if self.weight is None else self.weight[rows])

    def to(self, target: torch.device | torch.dtype) -> "Points":
        if self.x.to(target) is self.x and self.y.to(target) is self.y:
            return self  # a copy would check every value again
        return Points(self.x.to(target), self.y.to(target), None if self.weight is None else self.weight.to(target))


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
