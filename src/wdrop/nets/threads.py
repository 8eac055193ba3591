"""How many threads a training step is worth."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

_WORTH_SHARING = 2**27  # multiplications in one product of a layer: some milliseconds on one core


@contextmanager
def threads_for(multiplications: int) -> Iterator[None]:
    """One thread for as long as a step's products are small, what torch is set to otherwise.

    A step of small networks is hundreds of operations of some ten microseconds, after each of which threads wait for
    each other. On an idle machine two of them gain a third; beside any other work each wait may last as long as a
    turn of the scheduler, and steps take ten to sixty times as long as with one.
    """
    before = torch.get_num_threads()
    if before == 1 or multiplications >= _WORTH_SHARING:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
