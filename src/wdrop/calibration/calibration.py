from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Self

from torch import Tensor

from wdrop._checks import known
from wdrop.calibration.interval import Interval, central, gaussian_quantiles
from wdrop.prediction import Prediction


class Calibration(ABC):
    """A map from a prediction to a better one.

    A frozen dataclass whose fields are tensors, one value or column for each target. `apply`, `interval` and
    `quantiles` take the prediction as the predictor made it.
    """

    @classmethod
    @abstractmethod
    def of(cls, prediction: Prediction, y: Tensor, weight: Tensor | None = None) -> Self:
        """The map that mends this prediction of y, made at points that the predictor had not seen.

        y, weight  (n, d); a weight counts the point, 0 leaves it out for that target
        """

    @abstractmethod
    def apply(self, prediction: Prediction) -> Prediction:
        """The calibrated prediction."""

    def quantiles(self, prediction: Prediction, levels: Sequence[float]) -> Tensor:
        """Where y stays below with these probabilities: (q, n, d); Gaussian unless the map knows better."""
        return gaussian_quantiles(self.apply(prediction), levels)

    def interval(self, prediction: Prediction, level: float = 0.9) -> Interval:
        """The central interval in which y is expected with probability `level`."""
        lower, upper = self.quantiles(prediction, central(level))
        return Interval(lower, upper)

    @property
    def facts(self) -> Mapping[str, float]:
        """What the residuals told, for records."""
        return {}

    def state(self) -> dict[str, Tensor]:
        """All there is to save."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_state(cls, state: Mapping[str, Tensor]) -> Self:
        """The map that was saved."""
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        for name in state:
            known(f"tensor of {cls.__name__}", name, names)
        if missing := [name for name in names if name not in state]:
            raise ValueError(f"expected the tensors {', '.join(names)} of {cls.__name__}, got no {', '.join(missing)}")
        return cls(**state)


def rescaled(prediction: Prediction, factor: Tensor, shift: Tensor | float = 0.0) -> Prediction:
    """The prediction with std times `factor`, (d,) or (n, d), its parts and the spread of its samples likewise."""
    factor = factor.to(prediction.std)
    mean = prediction.mean + shift

    def times(part: Tensor | None) -> Tensor | None:
        return None if part is None else part * factor

    samples = prediction.samples
    if samples is not None:
        samples = mean + factor * (samples - prediction.mean)
    return Prediction(mean, prediction.std * factor, samples, times(prediction.aleatoric), times(prediction.epistemic))


def scale_facts(values: Tensor, name: str = "calibration_scale") -> dict[str, float]:
    """One number for each target, by name."""
    if len(values) == 1:
        return {name: float(values)}
    return {f"{name}_{i}": float(value) for i, value in enumerate(values, 1)}
