"""Dropout masks at a quarter of the price.

The random generator is most of the cost of a dropout step. One 64-bit word holds four 16-bit numbers, and a
16-bit number decides a unit: the drop rate is exact to 1/65536, and `bernoulli_` costs several times more.
"""

from collections.abc import Sequence
from math import prod

import torch
from torch import Generator, Tensor

_UNITS_PER_WORD = 4


def keep_masks(
    n_units: int, p: float, generators: Sequence[Generator], dtype: torch.dtype, *, n_each: int = 1
) -> Tensor:
    """Ones for units kept, zeros for units dropped with rate p: (len(generators) * n_each, n_units).

    Each generator fills `n_each` consecutive rows. A row takes whole words, so that its content depends on the
    rows drawn before it from the same generator, not on how many are drawn in one call.
    """
    n_words = -(-n_units // _UNITS_PER_WORD)
    words = torch.empty(len(generators), n_each * n_words, dtype=torch.int64, device=generators[0].device)
    for row, generator in zip(words, generators, strict=True):
        row.random_(-(2**63), None, generator=generator)  # plain random_() would leave the top bit 0
    units = words.view(torch.int16).view(len(generators) * n_each, -1)
    # In place, on 16 bits: a comparison into a bool tensor and its conversion cost five times as much.
    return units.ge_(round(p * 2**16) - 2**15)[:, :n_units].to(dtype)


class MaskStreams:
    """The masks of K networks in training: each network draws from its own stream."""

    def __init__(self, generators: Sequence[Generator]) -> None:
        self.generators = list(generators)

    def keep(self, shape: Sequence[int], p: float, dtype: torch.dtype) -> Tensor:
        """Masks (K, *shape)."""
        return keep_masks(prod(shape), p, self.generators, dtype).view(-1, *shape)
