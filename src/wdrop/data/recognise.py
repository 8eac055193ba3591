"""Whether numbers are those of a table."""

import numpy as np
from numpy.typing import NDArray

from wdrop.data.catalogue import TableFacts
from wdrop.data.fingerprint import fingerprint

Columns = tuple[NDArray[np.float64], NDArray[np.float64]]


def checked(facts: TableFacts, x: NDArray[np.float64], y: NDArray[np.float64]) -> Columns:
    """The columns as they came, if they are those of the table."""
    if x.shape != (facts.rows, facts.features):
        less = ": a part of the table does not stand for it" if x.shape[0] < facts.rows else ""
        raise ValueError(
            f"{facts.name}: expected {facts.rows} rows of {facts.features} features and a target, got {x.shape[0]} rows"
            f" of {x.shape[1]} features{less}"
        )
    if facts.fingerprint and fingerprint(x, y) != facts.fingerprint:
        raise ValueError(
            f"{facts.name}: right size, other numbers than the table's (rounded, scaled, another target?); expected the"
            f" table of {facts.home}, features first, target last"
        )
    return x, y
