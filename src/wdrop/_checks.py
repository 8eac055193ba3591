"""Errors in one voice: what came, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # measures use this file, and work without torch
    from torch import Tensor


def same_shape(**tensors: Tensor) -> None:
    """Refuse tensors of different shapes, naming each."""
    if len({tensor.shape for tensor in tensors.values()}) > 1:
        came = ", ".join(f"{name} {tuple(tensor.shape)}" for name, tensor in tensors.items())
        raise ValueError(f"expected equal shapes, got {came}; targets are (n, d), also when d = 1")


def matrix(name: str, tensor: Tensor, shape: str) -> None:
    """Refuse anything but a floating-point tensor with two dimensions."""
    if tensor.ndim != 2:
        raise ValueError(f"expected {name} of shape {shape}, got {tuple(tensor.shape)}")
    if not tensor.is_floating_point():
        raise TypeError(f"expected {name} as floating-point numbers, got {tensor.dtype}; use {name}.float()")


def all_finite(**tensors: Tensor) -> None:
    """Refuse NaN and infinity, counting them by name."""
    for name, tensor in tensors.items():
        n_bad = int((~tensor.isfinite()).sum())
        if n_bad:
            raise ValueError(f"expected finite numbers, got {n_bad} NaN or infinite of {tensor.numel()} in {name}")


def at_least(low: int, **counts: int) -> None:
    """Refuse counts below `low`, by name."""
    for name, count in counts.items():
        if count < low:
            raise ValueError(f"expected {name} of at least {low}, got {count}")


def probability(**rates: float) -> None:
    """Refuse drop rates outside [0, 1), by name."""
    for name, rate in rates.items():
        if not 0 <= rate < 1:
            raise ValueError(f"expected {name} in [0, 1), got {rate}")


def known(kind: str, name: str, names: Iterable[str]) -> None:
    """Refuse a name that is not among `names`, with a guess at what was meant."""
    names = list(names)
    if name not in names:
        guess = get_close_matches(name, names, n=1)
        hint = f", did you mean {guess[0]!r}?" if guess else ""
        raise ValueError(f"unknown {kind} {name!r}{hint}; known: {', '.join(names) or 'none'}")
