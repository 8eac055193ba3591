"""Draws from a distribution that is known by its quantiles."""

import numpy as np
from numpy.typing import NDArray

N_QUANTILES = 999
LEVELS = (np.arange(N_QUANTILES) + 0.5) / N_QUANTILES
"""Between these quantiles draws lie straight."""


def drawn(quantiles: NDArray[np.float64], u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values at the levels u (s, n, d), uniform in (0, 1), given the quantiles at `LEVELS` (q, n, d).

    An end that is infinite, as of conformal intervals from few points, counts as the outermost that is not.
    """
    finite = np.isfinite(quantiles)
    least, most = np.where(finite, quantiles, np.inf).min(0), np.where(finite, quantiles, -np.inf).max(0)
    quantiles = np.clip(quantiles, least, most)
    place = u * N_QUANTILES - 0.5
    below = np.clip(np.floor(place).astype(np.int64), 0, N_QUANTILES - 2)
    low, high = (np.take_along_axis(quantiles, below + i, 0) for i in (0, 1))
    return low + (place - below) * (high - low)
