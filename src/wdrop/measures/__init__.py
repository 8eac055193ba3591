"""Measures by name. A measure reads mean, std and the truth and gives a number.

Each takes `(mean, std, y)` as arrays or tensors, (n,) or (n, d); with several targets it is the mean over targets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from wdrop.measures.floor import floor
from wdrop.measures.intervals import coverage, width
from wdrop.measures.residuals import ece, etl, ks, ws
from wdrop.measures.scores import crps, nll, rmse

__all__ = [
    "MEASURES", "Measure", "coverage", "crps", "ece", "etl", "evaluate", "floor", "ks", "nll", "rmse", "width", "ws",
]  # fmt: skip


@final
@dataclass(frozen=True)
class Measure:
    """A measure as reports print it; `lower_is_better` is None where the ideal is a value in between."""

    heading: str
    function: Callable[..., float]
    lower_is_better: bool | None = True


MEASURES: dict[str, Measure] = {
    "rmse": Measure("RMSE", rmse),
    "nll": Measure("NLL", nll),
    "ece": Measure("ECE", ece),
    "ws": Measure("WS", ws),
    "etl": Measure("ETL", etl, lower_is_better=None),
    "ks": Measure("KS", ks),
    "crps": Measure("CRPS", crps),
    "coverage": Measure("90 % coverage", coverage, lower_is_better=None),
    "width": Measure("90 % width", width),
}
"""A plugin may add its own."""


def evaluate(mean: Any, std: Any, y: Any) -> dict[str, float]:
    """All measures by name, each with its defaults."""
    return {name: entry.function(mean, std, y) for name, entry in MEASURES.items()}
