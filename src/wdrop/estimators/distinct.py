"""The rows of a table as a set: their order is nothing, and equal rows are one that counts more often."""

import numpy as np
import torch
from numpy.typing import NDArray

from wdrop.prediction import Points

_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio: its multiples spread evenly
_HALF = np.uint64(32)


def distinct_points(x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64] | None) -> Points:
    """Points in an order that depends on the rows alone, in double precision.

    Equal rows become one with the sum of their weights. So a weight of 2 is exactly a row that stands twice, a weight
    of 0 exactly a row that is not there, and equal rows never fall into different folds.

    x  (n, f), finite;  y  (n, d), NaN where not observed;  weight  (n,)
    """
    counts = np.ones(len(x)) if weight is None else weight
    kept = (counts > 0) & ~np.isnan(y).all(1)
    if not kept.any():
        raise ValueError("expected at least one row with a target and a weight above 0, got none")
    rows = np.hstack([x, y])[kept] + 0.0  # which turns -0.0 into 0.0
    counts = counts[kept]
    order = np.argsort(_keys(rows), kind="stable")
    rows, counts = rows[order], counts[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = ~((rows[1:] == rows[:-1]) | (np.isnan(rows[1:]) & np.isnan(rows[:-1]))).all(1)
    counts = np.add.reduceat(counts, np.flatnonzero(new))
    x, y = np.split(rows[new], [x.shape[1]], axis=1)
    known = None if (counts == 1).all() else torch.from_numpy(counts)[:, None].expand(-1, y.shape[1])
    return Points.with_gaps(torch.tensor(x), torch.tensor(y), known)


def _keys(rows: NDArray[np.float64]) -> NDArray[np.uint64]:
    """A number for each row: equal for equal rows, and, but for one chance in 2⁶⁴, for no others."""
    keys = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        bits = np.where(np.isnan(column), np.nan, column).view(np.uint64)
        keys = (keys ^ bits) * _ODD
        keys ^= keys >> _HALF
    return keys
