from dataclasses import dataclass
from typing import final

from torch import Tensor

from wdrop.prediction import Points, Prediction


@final
@dataclass(frozen=True, eq=False)
class Scaler:
    """Shift and scale of every column, set by the training rows: mean 0 and std 1 there.

    The std divides by n, as scikit-learn's StandardScaler does. Predictions come back in the user's units.
    """

    x_mean: Tensor
    x_std: Tensor
    y_mean: Tensor
    y_std: Tensor

    @classmethod
    def of(cls, train: Points) -> "Scaler":
        return cls(train.x.mean(0), _std(train.x), train.y.mean(0), _std(train.y))

    def inputs(self, x: Tensor) -> Tensor:
        return (x - self.x_mean) / self.x_std

    def points(self, points: Points) -> Points:
        return Points(self.inputs(points.x), (points.y - self.y_mean) / self.y_std)

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


def _std(columns: Tensor) -> Tensor:
    # A split can leave a column constant; rounding then leaves a std of 1e-8, which is worse than none.
    constant = columns.amax(0) == columns.amin(0)
    return columns.std(0, correction=0).where(~constant, 1.0)
