"""Plain values as arrow's, and back, by their memory.

`pa.array`, `pa.scalar` and `to_numpy` load pandas to see whether they were given a piece of it, which takes longer than
reading a file of a hundred thousand rows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def strings(entries: Sequence[str]) -> Any:
    """An array of strings."""
    encoded = [entry.encode() for entry in entries]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))


def string(text: str) -> Any:
    """A scalar."""
    return strings([text])[0]


def doubles(values: NDArray[np.float64]) -> Any:
    """An array of numbers."""
    return pa.Array.from_buffers(pa.float64(), len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def numbers_in(array: Any) -> NDArray[np.float64]:
    """The numbers of an array or of one in chunks, NaN where missing; whole ones beyond 2⁵³ lose their last digits."""
    values = pc.cast(array, pa.float64(), safe=False)
    if values.null_count:
        values = pc.fill_null(values, doubles(np.full(1, np.nan))[0])
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    return np.frombuffer(values.buffers()[1], np.float64, len(values), 8 * values.offset)
