"""What the C library does with memory that is given back."""

import torch


def keep_freed_memory() -> None:
    """Keep the C library from giving freed memory back and asking for it again at once: a quarter of the time or more.

    glibc keeps at the top of its heap twice the size of the largest block (up to 32 MiB) that it has seen
    freed. Other libraries take no notice.
    """
    torch.empty(31 * 2**20, dtype=torch.uint8)
