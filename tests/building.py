"""Helpers for tests."""

from collections.abc import Callable
from typing import TypeVar

import torch

T = TypeVar("T")


def built(build: Callable[[], T]) -> T:
    """What `build` makes, with torch's global stream put back: modules draw their initial weights from it."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return build()
