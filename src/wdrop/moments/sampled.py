"""Mean and std of a dropout network, by drawing sub-networks."""

from collections.abc import Callable, Collection
from contextlib import nullcontext

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop._random import seed_from
from wdrop.moments.forward import in_eval_mode
from wdrop.nets.draws import DrawMasks, run_draws
from wdrop.nets.dropout import FunctionalDropoutGuard, replaced_dropout
from wdrop.prediction import Prediction

CHUNK_SIZE = 16384
"""Rows times draws in flight: large enough to feed the matrix products, small enough to stay in the cache."""


def sample(
    net: nn.Module,
    x: Tensor,
    n_samples: int = 200,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | None = None,
    chunk_size: int = CHUNK_SIZE,
) -> Tensor:
    """Outputs of `n_samples` sub-networks at every row of x: (s, n, d).

    A draw is one network: its mask serves all rows, so what it says of a row does not depend on the others.
    Only dropout is stochastic; everything else, batch norm too, is in eval mode and unchanged, and the
    network's modes are restored.

    generator   the stream of the masks; None draws from torch's global one
    layers      names of the dropout modules to use, e.g. only the last; None uses all
    chunk_size  rows times draws in flight; bounds the memory, does not change the result
    """
    out: list[Tensor] = []

    def store(draws: slice, rows: slice, values: Tensor) -> None:
        if not out:
            out.append(values.new_empty(n_samples, len(x), *values.shape[2:]))
        out[0][draws, rows] = values

    _for_each_chunk(store, net, x, n_samples, generator, layers, chunk_size)
    return out[0]


def sampled_moments(
    net: nn.Module,
    x: Tensor,
    n_samples: int = 200,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | None = None,
    chunk_size: int = CHUNK_SIZE,
) -> Prediction:
    """Mean and std (the unbiased variance's root) of the draws of `sample`, without keeping them.

    Chunks of draws are merged as in Chan, Golub & LeVeque 1983, so no precision is lost when the mean is large.
    """
    at_least(2, n_samples=n_samples)
    merged: list[_Moments] = []

    def merge(draws: slice, rows: slice, values: Tensor) -> None:
        if not merged:
            merged.append(_Moments(len(x), values))
        merged[0].add(rows, values, n_before=draws.start)

    _for_each_chunk(merge, net, x, n_samples, generator, layers, chunk_size)
    return merged[0].prediction(n_samples)


class _Moments:
    """Running mean and sum of squared deviations of the draws at each row, in double precision."""

    def __init__(self, n_rows: int, like: Tensor) -> None:
        self.dtype = like.dtype
        self.mean = like.new_zeros(n_rows, *like.shape[2:], dtype=torch.float64)
        self.squares = torch.zeros_like(self.mean)

    def add(self, rows: slice, values: Tensor, *, n_before: int) -> None:
        n_new = len(values)
        values = values.double()
        new_mean = values.mean(0)
        step = new_mean - self.mean[rows]
        self.squares[rows] += (values - new_mean).square().sum(0)
        self.squares[rows] += step.square() * (n_before * n_new / (n_before + n_new))
        self.mean[rows] += step * (n_new / (n_before + n_new))

    def prediction(self, n_samples: int) -> Prediction:
        std = (self.squares / (n_samples - 1)).sqrt()
        return Prediction(self.mean.to(self.dtype), std.to(self.dtype))


@torch.no_grad()
def _for_each_chunk(
    visit: Callable[[slice, slice, Tensor], None],
    net: nn.Module,
    x: Tensor,
    n_samples: int,
    generator: Generator | None,
    layers: Collection[str] | None,
    chunk_size: int,
) -> None:
    """Call `visit` with draws, rows and outputs (s, n, ...); all rows of a chunk of draws share its masks."""
    at_least(1, n_samples=n_samples, chunk_size=chunk_size)
    if len(x) == 0:
        raise ValueError(f"expected at least one row, got x {tuple(x.shape)}")
    n_rows = min(len(x), chunk_size)
    n_draws = max(1, chunk_size // n_rows)
    masks = DrawMasks(seed_from(generator), n_draws)
    with in_eval_mode(net), replaced_dropout(net, masks, layers):
        for first in range(0, n_samples, n_draws):
            draws = slice(first, min(first + n_draws, n_samples))
            masks.go_on(draws.stop - draws.start)
            for start in range(0, len(x), n_rows):
                rows = slice(start, min(start + n_rows, len(x)))
                masks.rewind()
                first_chunk = draws.start == rows.start == 0  # watching costs time, and once is enough
                with FunctionalDropoutGuard(net) if first_chunk else nullcontext():
                    values = run_draws(net, x[rows], masks)
                visit(draws, rows, values)
