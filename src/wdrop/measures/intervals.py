"""Central intervals mean ± z std: how often they hold the truth, and how wide they are."""

import numpy as np
from scipy.special import ndtri

from wdrop.measures._columns import Column, measure


@measure
def coverage(mean: Column, std: Column, y: Column, *, level: float = 0.9) -> float:
    """Share of points whose y lies in the central interval of that level; ideally, `level`."""
    return float(np.mean(np.abs(y - mean) <= _half_width(level) * std))


@measure
def width(mean: Column, std: Column, y: Column, *, level: float = 0.9) -> float:
    """Mean width of the central interval of that level, in the units of y; of two honest ones the narrower wins."""
    return float(np.mean(2 * _half_width(level) * std))


def _half_width(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"expected level in (0, 1), got {level}")
    return float(ndtri((1 + level) / 2))
