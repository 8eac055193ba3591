"""What one method said of the rows that it had not seen, fold by fold."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from wdrop.measures import MEASURES

Array = NDArray[Any]
Variant = Literal["raw", "calibrated"]
VARIANTS: tuple[Variant, Variant] = ("raw", "calibrated")
BASELINE = "gradient_boosting"
JUDGE = "crps"
"""The measure that decides: it rewards a close mean and an honest, narrow std at once, and no single row rules it."""


@final
@dataclass(frozen=True, eq=False)
class Contestant:
    """A method in one form on one split.

    fold          (n,), which fold tested a row
    mean, std, y  (n, d), in the units of the targets
    seconds       of one core, all folds and both forms together
    ratio         rows tested over rows trained on, the mean over folds
    n_floored     values whose std was 0, or nearly, and was raised to what a measure can take
    """

    method: str
    variant: Variant
    split: str
    fold: Array
    mean: Array
    std: Array
    y: Array
    seconds: float
    ratio: float
    n_floored: int = 0

    @property
    def title(self) -> str:
        return method_title(self.method)

    @property
    def name(self) -> str:
        """Form and method, as a sentence has it."""
        return f"{self.variant} {self.title}"

    @property
    def colour(self) -> str:
        from wdrop.report.figures import METHOD_COLOURS  # loads matplotlib, which those that only compute do without

        return METHOD_COLOURS.get(self.method, "#495057")

    @property
    def folds(self) -> list[int]:
        return [int(fold) for fold in np.unique(self.fold)]

    @cached_property
    def scores(self) -> dict[str, Array]:
        """Each measure for each fold, (k,), in the order of `folds`."""
        return fold_scores(self)

    def score(self, measure: str) -> float:
        """The mean over folds."""
        return float(np.mean(self.scores[measure]))


def fold_scores(contestant: Contestant) -> dict[str, Array]:
    """Each measure, fold by fold."""
    found: dict[str, list[float]] = {name: [] for name in MEASURES}
    for fold in contestant.folds:
        chosen = contestant.fold == fold
        parts = contestant.mean[chosen], contestant.std[chosen], contestant.y[chosen]
        for name, measure in MEASURES.items():
            found[name].append(measure.function(*parts))
    return {name: np.array(values) for name, values in found.items()}


def method_title(method: str) -> str:
    """The method as a reader knows it."""
    from wdrop.report.figures import METHOD_TITLES

    return "gradient boosting" if method == BASELINE else METHOD_TITLES.get(method, method)
