"""How far new rows are from those of training: feature by feature, and all together. Needs numpy alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FAR = 0.99
"""Of the training rows, how many lie nearer than a row that is called far."""

_GRID = 65  # values of a feature whose shares are kept
_MOST_FEATURES = 64  # whose correlations are kept; a table with more is judged as if it had none
_MOST_ROWS = 20_000  # that are looked at; more tell no more
_FOLDS = 5
_SHRINKAGE = 0.02  # of correlations: few rows or copied columns make them singular
_DIGITS = 7
_ACCIDENT = 0.01  # the chance of calling any feature shifted where none is
_MATERIAL = 0.1  # a smaller Kolmogorov-Smirnov distance changes nobody's mind, however sure it is


@final
@dataclass(frozen=True, eq=False)
class TrainingRows:
    """What is remembered of the training rows.

    titles     of the f features
    mean, std  (f,)
    precision  (f, f), the inverse of the features' correlations
    grids      for each feature, values in ascending order
    shares     for each, the share of rows at or below these values
    far        the distance that one row in a hundred exceeds, measured at rows left out of mean, std and precision
    n_rows     how many there were
    """

    titles: tuple[str, ...]
    mean: Array
    std: Array
    precision: Array
    grids: tuple[Array, ...]
    shares: tuple[Array, ...]
    far: float
    n_rows: int

    @classmethod
    def of(cls, x: Array, titles: Sequence[str]) -> "TrainingRows":
        """What to remember of the rows x (n, f)."""
        n_rows = len(x)
        x = _some(x)
        mean, std, precision = _moments(x)
        grids = tuple(np.unique(np.quantile(column, np.linspace(0, 1, _GRID))) for column in x.T)
        shares = tuple(_shares(column, grid) for column, grid in zip(x.T, grids, strict=True))
        return cls(tuple(titles), mean, std, precision, grids, shares, _far(x), n_rows)

    def distances(self, x: Array) -> Array:
        """How far rows lie from the middle of training, in standard deviations of such rows: (n,), typically 1."""
        return _distances(x, self.mean, self.std, self.precision)

    def to_json(self) -> dict[str, Any]:
        def plain(values: Array) -> list[Any]:
            return [float(f"{value:.{_DIGITS}g}") for value in values]

        diagonal = np.array_equal(self.precision, np.eye(len(self.mean)))
        return {
            "titles": list(self.titles), "mean": plain(self.mean), "std": plain(self.std), "far": self.far,
            "precision": None if diagonal else [plain(row) for row in self.precision], "n_rows": self.n_rows,
            "grids": [list(map(float, grid)) for grid in self.grids], "shares": [plain(share) for share in self.shares],
        }  # fmt: skip

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "TrainingRows":
        precision = np.eye(len(told["mean"])) if told["precision"] is None else np.array(told["precision"])
        return cls(
            tuple(told["titles"]), np.array(told["mean"]), np.array(told["std"]), precision,
            tuple(map(np.array, told["grids"])), tuple(map(np.array, told["shares"])), told["far"], told["n_rows"],
        )  # fmt: skip


@final
@dataclass(frozen=True)
class FeatureShift:
    """How one feature differs from training.

    distance       between the two distributions, 0 to 1 (Kolmogorov-Smirnov)
    moved          the difference of the means in standard deviations of training; in units of the feature, where
                   training was constant
    outside        the share of rows beyond the smallest and largest value of training
    is_shifted     whether the distance is more than chance, and enough to care
    training_mean  and `training_std`: of the training rows
    """

    title: str
    distance: float
    moved: float
    outside: float
    is_shifted: bool
    training_mean: float
    training_std: float

    @property
    def new_mean(self) -> float:
        return self.training_mean + self.moved * (self.training_std or 1.0)


@final
@dataclass(frozen=True)
class Shift:
    """How new rows differ from training: `far` is the share of them that lie farther out than 99 % of its rows did."""

    far: float
    expected_far: float
    is_shifted: bool
    features: tuple[FeatureShift, ...]

    @property
    def shifted(self) -> list[FeatureShift]:
        """The features that differ, the most different first."""
        return sorted((f for f in self.features if f.is_shifted), key=lambda feature: -feature.distance)


def shift_of(training: TrainingRows, pieces: Iterable[Array]) -> Shift:
    """How the rows of all pieces (n, f) differ from training; one piece at a time is in memory."""
    n, n_far = 0, 0
    counts = [np.zeros(len(grid)) for grid in training.grids]
    total, outside = np.zeros(len(training.mean)), np.zeros(len(training.mean))
    for x in pieces:
        n += len(x)
        n_far += int((training.distances(x) > training.far).sum())
        total += x.sum(0)
        for j, grid in enumerate(training.grids):
            counts[j] += _shares(x[:, j], grid) * len(x)
            outside[j] += ((x[:, j] < grid[0]) | (x[:, j] > grid[-1])).sum()
    moved = (total / n - training.mean) / training.std
    limit = max(_MATERIAL, _accident(n, training.n_rows, len(counts)))
    features = []
    for j, share in enumerate(training.shares):
        distance = float(np.abs(counts[j] / n - share).max(initial=0))
        # below the grid no share is kept, but none of training is there
        distance = max(distance, float(outside[j]) / n)
        told = training.titles[j], distance, float(moved[j]), float(outside[j]) / n, distance > limit
        std = 0.0 if len(training.grids[j]) == 1 else float(training.std[j])
        features.append(FeatureShift(*told, float(training.mean[j]), std))
    expected = 1 - FAR
    # the limit is itself measured, at the training rows: few of them place it as badly as few new rows count beyond it
    error = sqrt(expected * FAR * (1 / n + 1 / min(training.n_rows, _MOST_ROWS)))
    beyond = n_far / n > 2 * expected + 3 * error
    return Shift(n_far / n, expected, beyond or any(f.is_shifted for f in features), tuple(features))


def _accident(n: int, n_training: int, n_features: int) -> float:
    """A distance that none of so many features reaches by accident, but for one time in a hundred."""
    return sqrt(-0.5 * log(_ACCIDENT / (2 * n_features)) * (1 / n + 1 / n_training))


def _some(x: Array) -> Array:
    if len(x) <= _MOST_ROWS:
        return x
    return x[np.random.default_rng(0).choice(len(x), _MOST_ROWS, replace=False)]


def _shares(column: Array, grid: Array) -> Array:
    """The share of values at or below each of the grid's."""
    return np.searchsorted(np.sort(column), grid, side="right") / len(column)


def _moments(x: Array) -> tuple[Array, Array, Array]:
    mean, std = x.mean(0), x.std(0)
    std = np.where(std > 0, std, 1.0)
    if not 1 < x.shape[1] <= _MOST_FEATURES:
        return mean, std, np.eye(x.shape[1])
    z = (x - mean) / std
    correlations = (1 - _SHRINKAGE) * z.T @ z / len(z) + _SHRINKAGE * np.eye(x.shape[1])
    return mean, std, np.linalg.inv(correlations)


def _distances(x: Array, mean: Array, std: Array, precision: Array) -> Array:
    z = (x - mean) / std
    return np.sqrt(np.einsum("nf,nf->n", z @ precision, z) / x.shape[1])


def _far(x: Array) -> float:
    """The distance that one row in a hundred exceeds, each row measured by the others' moments."""
    folds = np.random.default_rng(0).permutation(len(x)) % _FOLDS
    parts = [_distances(x[folds == k], *_moments(x[folds != k])) for k in range(_FOLDS) if (folds == k).any()]
    return float(np.quantile(np.concatenate(parts), FAR))
