"""How large the errors are where the forecast was most wrong about itself."""

from typing import NamedTuple

import numpy as np

from wdrop.measures._columns import Column


class TailErrors(NamedTuple):
    """Mean |error| of the points in the tail, and of the rest."""

    worst: float
    rest: float


def tail_errors(mean: Column, std: Column, y: Column, *, level: float = 0.99) -> TailErrors:
    """Mean |mean - y| of the points whose |r| exceeds its own `level` quantile, as `etl` has them, and of the others.

    A tail whose errors are as small as everyone's has a std that is too small; one with large errors, outliers. NaN
    for a part without points.
    """
    error, std = np.abs(np.ravel(mean) - np.ravel(y)).astype(float), np.ravel(std)
    size = error / std
    tail = size > np.quantile(size, level)
    return TailErrors(*(float(error[part].mean()) if part.any() else float("nan") for part in (tail, ~tail)))
