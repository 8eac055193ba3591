"""What comes in through scikit-learn's door, checked in its words."""

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight, check_array, check_consistent_length, validate_data


@final
@dataclass(frozen=True, eq=False)
class Targets:
    """values (n, d), NaN where not observed; their names; whether they came as (n,)."""

    values: NDArray[np.float64]
    names: tuple[str, ...]
    is_flat: bool


def checked_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """The table, a frame as it is and all else as a matrix; names and number of columns are set or compared.

    Columns of a frame are looked into one by one later, where what is wrong can be said by name.
    """
    if _is_frame(X):
        if X.shape[0] == 0 or X.shape[1] == 0:
            raise ValueError(f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s); expected some")
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return X
    kind = None if _has_words(X) else [np.float64, np.float32]
    return validate_data(estimator, X, reset=reset, dtype=kind, ensure_all_finite="allow-nan" if kind else False)


def checked_targets(X: Any, y: Any) -> Targets:
    """The targets as numbers; NaN is one that was not observed, infinity an error."""
    if y is None:
        raise ValueError("Regressor requires y to be passed, but the target y is None")
    names = _names(y)
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    values = check_array(y, dtype=np.float64, ensure_2d=False, ensure_all_finite="allow-nan", input_name="y")
    check_consistent_length(X, values)
    if values.ndim > 2:
        raise ValueError(f"expected y of shape (n,) or (n, d), got {values.shape}")
    matrix = values.reshape(len(values), -1)
    empty = [j for j in range(matrix.shape[1]) if np.isnan(matrix[:, j]).all()]
    if empty:
        raise ValueError(f"Input y contains NaN only, in target {', '.join(map(str, empty))}; leave such targets out")
    if len(names) != matrix.shape[1]:
        names = tuple(f"y{j}" for j in range(matrix.shape[1])) if matrix.shape[1] > 1 else ("y",)
    return Targets(matrix, names, values.ndim == 1)


def checked_weight(weight: Any, X: Any, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """How often each row counts, (n,)."""
    if weight is None:
        return None
    shape_of = np.zeros((len(values), 1))
    checked: NDArray[np.float64] = _check_sample_weight(weight, shape_of, dtype=np.float64)
    if (checked < 0).any():
        raise ValueError(f"Negative values in sample_weight: expected at least 0, got {checked.min()}")
    return checked


def checked_level(level: Any) -> float:
    """A probability as a number; whether it lies between 0 and 1 is looked at where it is used."""
    if not isinstance(level, Real):
        raise TypeError(f"expected a level as a number between 0 and 1, such as 0.9, got {level!r}")
    return float(level)


def checked_quantiles(quantiles: Any) -> list[float]:
    """Several probabilities."""
    if isinstance(quantiles, Real | str) or not isinstance(quantiles, Iterable):
        raise TypeError(f"expected several quantiles, such as [0.05, 0.5, 0.95], got {quantiles!r}; put it in a list")
    return [checked_level(level) for level in quantiles]


def _is_frame(X: Any) -> bool:
    return hasattr(X, "iloc") or hasattr(X, "get_columns")


def _has_words(X: Any) -> bool:
    """Whether a matrix of objects or strings holds anything but numbers."""
    kind = getattr(getattr(X, "dtype", None), "kind", "")
    if kind in "US" and kind:
        return True
    if kind != "O" or getattr(X, "ndim", 0) != 2:
        return False
    return any(isinstance(entry, str) for entry in X.ravel())


def _names(y: Any) -> tuple[str, ...]:
    if hasattr(y, "columns"):
        return tuple(str(name) for name in y.columns)
    name = getattr(y, "name", None)
    return (str(name),) if name is not None else ()
