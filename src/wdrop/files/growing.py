"""Numbers that come in pieces and are needed all at once."""

from array import array
from typing import final

import numpy as np
from numpy.typing import NDArray


@final
class Growing:
    """A column that grows: 8 bytes a number, and at no time a second copy of all of them."""

    def __init__(self) -> None:
        self._values = array("d")

    def add(self, piece: NDArray[np.float64]) -> None:
        self._values.frombytes(np.ascontiguousarray(piece, np.float64).tobytes())

    def all(self) -> NDArray[np.float64]:
        """A view of what has come so far; nothing can be added while it is held."""
        return np.frombuffer(self._values, np.float64)
