from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor

from wdrop.prediction import Points, Prediction


@final
@dataclass(frozen=True, eq=False)
class Scaler:
    """Shift and scale of every column, set by the training rows: mean 0 and std 1 there.

    The std divides by n, as scikit-learn's StandardScaler does. Weights count: those of a target for its own mean and
    std, their mean over targets for the inputs. Predictions come back in the user's units.
    """

    x_mean: Tensor
    x_std: Tensor
    y_mean: Tensor
    y_std: Tensor

    @classmethod
    def of(cls, train: Points) -> "Scaler":
        if len(train) == 0:
            raise ValueError("expected at least one point to train on, got none")
        if train.weight is not None:
            return cls(*_weighted(train.x, train.weight.mean(1, keepdim=True)), *_weighted(train.y, train.weight))
        return cls(train.x.mean(0), _std(train.x), train.y.mean(0), _std(train.y))

    def inputs(self, x: Tensor) -> Tensor:
        return (x - self.x_mean) / self.x_std

    def points(self, points: Points) -> Points:
        return Points(self.inputs(points.x), (points.y - self.y_mean) / self.y_std, points.weight)

    def in_units_of_y(self, prediction: Prediction) -> Prediction:
        def scaled(values: Tensor | None, shift: Tensor | float = 0.0) -> Tensor | None:
            return None if values is None else values * self.y_std + shift

        return Prediction(
            prediction.mean * self.y_std + self.y_mean,
            prediction.std * self.y_std,
            scaled(prediction.samples, self.y_mean),
            scaled(prediction.aleatoric),
            scaled(prediction.epistemic),
        )


def _weighted(columns: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and std of each column, (n, c), under weights (n, 1) or (n, c)."""
    counts = (weight > 0).expand_as(columns)
    if not counts.any(0).all():
        raise ValueError("expected some weight above 0 for every target, got none; leave such targets out")
    share = weight / weight.sum(0)
    mean = (share * columns).sum(0)
    std = (share * (columns - mean).square()).sum(0).sqrt()
    infinity = torch.inf
    constant = columns.where(counts, -infinity).amax(0) == columns.where(counts, infinity).amin(0)
    return mean, std.where(~constant, 1.0)


def _std(columns: Tensor) -> Tensor:
    # A split can leave a column constant; rounding then leaves a std of 1e-8, which is worse than none.
    constant = columns.amax(0) == columns.amin(0)
    return columns.std(0, correction=0).where(~constant, 1.0)
