"""The one entrance of all measures: arrays or tensors come in, float64 columns go on."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Column = NDArray[np.float64]
P = ParamSpec("P")


def measure(
    column_measure: Callable[Concatenate[Column, Column, Column, P], float],
) -> Callable[Concatenate[Any, Any, Any, P], float]:
    """Make a measure of one target's columns (n,), (n,), (n,) a measure of (n,) or (n, d).

    With several targets it is the mean over targets: pooling them would let one target's too large std make up
    for another's too small one.
    """

    @wraps(column_measure)
    def checked_measure(mean: Any, std: Any, y: Any, *args: P.args, **kwargs: P.kwargs) -> float:
        columns = zip(*(a.T for a in _checked(mean=mean, std=std, y=y)), strict=True)
        return float(np.mean([column_measure(m, s, t, *args, **kwargs) for m, s, t in columns]))

    return cast(Callable[Concatenate[Any, Any, Any, P], float], checked_measure)


def _checked(**given: Any) -> list[Column]:
    arrays = {name: _float64(name, values) for name, values in given.items()}
    came = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
    shapes = {array.shape for array in arrays.values()}
    if len(shapes) > 1:
        raise ValueError(f"expected equal shapes, got {came}")
    (shape,) = shapes
    if len(shape) not in (1, 2):
        raise ValueError(f"expected shape (n,) or (n, d), got {came}")
    if 0 in shape:
        raise ValueError(f"expected at least one point and target, got {came}")
    for name, array in arrays.items():
        n_bad = int((~np.isfinite(array)).sum())
        if n_bad:
            raise ValueError(f"expected finite numbers, got {n_bad} NaN or infinite of {array.size} in {name}")
    n_bad = int((arrays["std"] <= 0).sum())
    if n_bad:
        raise ValueError(
            f"expected std above 0, got {n_bad} zero or negative of {arrays['std'].size}; "
            "such a forecast claims to know y exactly"
        )
    return [array.reshape(len(array), -1) for array in arrays.values()]


def _float64(name: str, values: ArrayLike | Any) -> Column:
    if hasattr(values, "detach"):  # a tensor, on whatever device
        values = values.detach().cpu().double().numpy()
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"expected numbers in {name}, got {array.dtype}")
    return array.astype(np.float64)
