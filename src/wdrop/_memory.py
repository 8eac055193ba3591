"""What the C library does with memory that is given back."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # names of mallopt's settings, of which ctypes knows the numbers only
_USUAL_MMAP_MAX = 65_536
_USUAL_TRIM_THRESHOLD = 64 * 2**20  # what glibc arrives at by itself when large blocks come and go
_NEVER_TRIM = 2**31 - 1


def keep_freed_memory() -> None:
    """Keep the C library from giving freed memory back and asking for it again at once: a quarter of the time or more.

    glibc keeps at the top of its heap twice the size of the largest block (up to 32 MiB) that it has seen
    freed. Other libraries take no notice.
    """
    torch.empty(31 * 2**20, dtype=torch.uint8)


@contextmanager
def large_blocks_kept() -> Iterator[None]:
    """Meanwhile glibc keeps blocks above 32 MiB too, which it would take from the system one by one and give back.

    Training a detector frees and asks for a gigabyte of them at each step: a quarter of its time went into clearing
    pages. All is given back in the end. Other libraries take no notice.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if libc is None or not hasattr(libc, "mallopt"):
        yield
        return
    libc.mallopt(_MMAP_MAX, 0)
    libc.mallopt(_TRIM_THRESHOLD, _NEVER_TRIM)
    try:
        yield
    finally:
        libc.mallopt(_MMAP_MAX, _USUAL_MMAP_MAX)
        libc.mallopt(_TRIM_THRESHOLD, _USUAL_TRIM_THRESHOLD)
        libc.malloc_trim(0)
