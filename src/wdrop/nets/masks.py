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


_UNITS_AHEAD = 2**17  # in all networks together: half a MiB of masks, which the cache holds
_FEW = 2  # masks; for fewer the leftovers cost what is saved


class MaskStreams:
    """The masks of K networks in training: each network draws from its own stream, all with the same rate.

    On the CPU the words come from numpy's SFC64, at half the price of torch's generator, which names its seed.
    """

    def __init__(self, generators: Sequence[Generator]) -> None:
        self.generators = list(generators)
        self._sources = [SFC64(seed_from(g)) if g.device.type == "cpu" else g for g in self.generators]
        self._kind: tuple[float, torch.dtype] | None = None
        self._ahead: Tensor | None = None  # (K, n), masks made and not used yet

    def take(self, rows: Sequence[int]) -> "MaskStreams":
        """The streams of some of the networks, which go on where they are."""
        part = MaskStreams([])
        part.generators = [self.generators[i] for i in rows]
        part._sources = [self._sources[i] for i in rows]
        part._kind = self._kind
        part._ahead = None if self._ahead is None else self._ahead[list(rows)]
        return part

    def keep(self, shape: Sequence[int], p: float, dtype: torch.dtype) -> Tensor:
        """Masks (K, *shape), the caller's to overwrite."""
        if self._kind is None:
            self._kind = (p, dtype)
        elif self._kind != (p, dtype):
            raise ValueError(f"expected masks of one kind from a stream, {self._kind}, got {(p, dtype)}")
        n = 4 * _words_for(prod(shape))
        masks, self._ahead = self._ahead, None  # an empty rest would keep its memory from being used again
        n_made = 0 if masks is None else masks.shape[1]
        if n_made < n:
            more = self._made(n - n_made)
            masks = more if masks is None else torch.cat([masks, more], 1)
        assert masks is not None
        if masks.shape[1] > n:
            self._ahead = masks[:, n:]
        return masks[:, : prod(shape)].view(len(self.generators), *shape)

    def uniform(self, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
        """Uniform numbers (K, *shape)."""
        out = torch.empty(len(self.generators), *shape, dtype=dtype, device=self.generators[0].device)
        for row, generator in zip(out, self.generators, strict=True):
            row.uniform_(generator=generator)
        return out

    def _made(self, n_units: int) -> Tensor:
        """Masks of at least so many units (K, n); of small ones several at once, as calls cost time too."""
        assert self._kind is not None
        p, dtype = self._kind
        ahead = _UNITS_AHEAD // len(self.generators)
        # on other devices what a generator gives depends on how much it is asked for at a time
        if ahead > _FEW * n_units and self.generators[0].device.type == "cpu":
            n_units = ahead
        # In place, on 16 bits: a comparison into a bool tensor and its conversion cost five times as much.
        return self._random_words(_words_for(n_units)).view(torch.int16).ge_(_threshold(p)).to(dtype)

    def _random_words(self, n: int) -> Tensor:
        """Random bits (K, n)."""
        words = torch.empty(len(self.generators), n, dtype=torch.int64, device=self.generators[0].device)
        for row, source in zip(words, self._sources, strict=True):
            if isinstance(source, Generator):
                row.random_(-(2**63), None, generator=source)
            else:
                row.numpy()[:] = source.random_raw(n).view(np.int64)
        return words


def _words_for(n_units: int) -> int:
    return -(-n_units // 4)


def _threshold(p: float) -> int:
    """A signed 16-bit number lies below this with probability p; a unit in 65536 is kept at least, as p < 1."""
    return min(round(p * 2**16), 2**16 - 1) - 2**15
