"""Dropout masks at a quarter of the price.

The random generator is most of the cost of a dropout step. One 64-bit word holds four 16-bit numbers, and a
16-bit number decides a unit: the drop rate is exact to 1/65536, and `bernoulli_` costs several times more.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
import torch
from numpy.random import SFC64
from torch import Generator, Tensor

from wdrop._random import seed_from


def keep_mask(shape: Sequence[int], p: float, generator: Generator, dtype: torch.dtype) -> Tensor:
    """Ones for units kept, zeros for units dropped with rate p.

    Under `torch.vmap(..., randomness="different")` every entry of the batch has a mask of its own, and they are the
    same masks that as many calls in a row would give.
    """
    n_units = prod(shape)
    # The whole range but its last number; the top bit of plain random integers would always be 0.
    words = torch.randint(-(2**63), 2**63 - 1, (_words_for(n_units),), generator=generator, device=generator.device)
    return words.view(torch.int16)[:n_units].ge(_threshold(p)).to(dtype).view(*shape)


_WORDS_AHEAD = 2**15  # in all networks together: a quarter of a MiB, which the cache holds


class MaskStreams:
    """The masks of K networks in training: each network draws from its own stream.

    On the CPU the words come from numpy's SFC64, at half the price of torch's generator, which names its seed.
    """

    def __init__(self, generators: Sequence[Generator]) -> None:
        self.generators = list(generators)
        self._sources = [SFC64(seed_from(g)) if g.device.type == "cpu" else g for g in self.generators]
        self._ahead = torch.empty(len(self.generators), 0, dtype=torch.int64)  # words drawn and not used yet

    def take(self, rows: Sequence[int]) -> "MaskStreams":
        """The streams of some of the networks, which go on where they are."""
        part = MaskStreams([])
        part.generators = [self.generators[i] for i in rows]
        part._sources = [self._sources[i] for i in rows]
        part._ahead = self._ahead[list(rows)]
        return part

    def keep(self, shape: Sequence[int], p: float, dtype: torch.dtype) -> Tensor:
        """Masks (K, *shape)."""
        n_units, n_networks = prod(shape), len(self.generators)
        words = self._random_words(_words_for(n_units))
        # In place, on 16 bits: a comparison into a bool tensor and its conversion cost five times as much.
        units = words.view(torch.int16).ge_(_threshold(p))
        return units[:, :n_units].to(dtype).view(n_networks, *shape)

    def uniform(self, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
        """Uniform numbers (K, *shape)."""
        out = torch.empty(len(self.generators), *shape, dtype=dtype, device=self.generators[0].device)
        for row, generator in zip(out, self.generators, strict=True):
            row.uniform_(generator=generator)
        return out

    def _random_words(self, n: int) -> Tensor:
        """Random bits (K, n)."""
        if self._ahead.shape[1] < n:
            self._refill(n)
        words, self._ahead = self._ahead[:, :n], self._ahead[:, n:]
        return words

    def _refill(self, n: int) -> None:
        """Have at least n words of every network, and in small stacks enough for several masks: calls cost time too."""
        left = self._ahead.shape[1]
        device = self.generators[0].device
        n_new = n - left
        if device.type == "cpu":  # elsewhere what a generator gives depends on how much is asked for at a time
            n_new = max(n_new, _WORDS_AHEAD // len(self.generators))
        words = torch.empty(len(self.generators), left + n_new, dtype=torch.int64, device=device)
        words[:, :left] = self._ahead
        for row, source in zip(words, self._sources, strict=True):
            if isinstance(source, Generator):
                row[left:].random_(-(2**63), None, generator=source)
            else:
                row.numpy()[left:] = source.random_raw(n_new).view(np.int64)
        self._ahead = words


def _words_for(n_units: int) -> int:
    return -(-n_units // 4)


def _threshold(p: float) -> int:
    """A signed 16-bit number lies below this with probability p; a unit in 65536 is kept at least, as p < 1."""
    return min(round(p * 2**16), 2**16 - 1) - 2**15
