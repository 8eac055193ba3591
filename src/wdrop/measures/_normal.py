from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray


def density(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """φ(z), the standard normal density; 0 at ±∞."""
    return np.exp(-0.5 * z**2) / sqrt(2 * pi)
