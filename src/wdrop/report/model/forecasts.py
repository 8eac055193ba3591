"""What a model said of some rows of a table, and what came true."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_LEAST_STD = 1e-5  # of the spread of y; a network whose units are all dead says 0


@final
@dataclass(frozen=True, eq=False)
class Forecasts:
    """Predictions of one target.

    mean, std  (n,), in the units of the target
    x          (n, f), the features as numbers
    features   their names, f of them
    target     its name
    rows       (n,), what the user knows each row by: the first under the heading is 1
    y          (n,), NaN where it was not observed; None if it never was
    """

    mean: Array
    std: Array
    x: Array
    features: Sequence[str]
    target: str
    rows: Array
    y: Array | None = None

    def __post_init__(self) -> None:
        n = len(self.mean)
        shapes = {"std": self.std, "rows": self.rows, "x": self.x} | ({} if self.y is None else {"y": self.y})
        wrong = {name: values.shape for name, values in shapes.items() if len(values) != n}
        if wrong or self.x.shape != (n, len(self.features)):
            came = ", ".join(f"{name} {values.shape}" for name, values in shapes.items())
            raise ValueError(f"expected {n} rows as in mean, x with {len(self.features)} features, got {came}")

    @classmethod
    def of(
        cls, mean: Any, std: Any, x: Any, features: Sequence[str], *, target: str = "y", y: Any = None, rows: Any = None
    ) -> "Forecasts":
        """From anything that numpy takes; rows are counted from 1 if they are not named."""
        means, stds, inputs = (np.asarray(values, dtype=np.float64) for values in (mean, std, x))
        named = np.arange(1, len(means) + 1) if rows is None else np.asarray(rows)
        truth = None if y is None else np.asarray(y, dtype=np.float64)
        return cls(means, stds, inputs, list(features), target, named, truth)

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def observed(self) -> "Forecasts | None":
        """The rows whose truth is known; None if there is none."""
        if self.y is None or np.isnan(self.y).all():
            return None
        return self.take(~np.isnan(self.y))

    def take(self, chosen: Array) -> "Forecasts":
        """Some of the rows, by number or by truth values."""
        parts = {name: getattr(self, name)[chosen] for name in ("mean", "std", "x", "rows")}
        return replace(self, **parts, y=None if self.y is None else self.y[chosen])

    @property
    def truth(self) -> Array:
        """y, of rows whose truth is known."""
        if self.y is None:
            raise ValueError(f"expected observed values of {self.target!r}, got none; judge only `observed` rows")
        return self.y

    @property
    def residual(self) -> Array:
        """How far the mean lies above the truth, (n,)."""
        return np.asarray(self.mean - self.truth)

    @property
    def positive_std(self) -> Array:
        """The std, of at least a hundred-thousandth of the spread of y: no measure can take a std of 0."""
        spread = float(np.std(self.truth if self.y is not None else self.mean)) or 1.0
        return np.maximum(self.std, _LEAST_STD * spread)

    @property
    def z(self) -> Array:
        """Residuals in units of std, (n,): N(0, 1) if the model is honest."""
        return np.asarray(self.residual / self.positive_std)
