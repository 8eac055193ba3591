"""Mean and std of a dropout network, by drawing sub-networks."""

from collections.abc import Callable, Collection

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop._memory import keep_freed_memory
from wdrop._random import seed_from
from wdrop.moments.forward import in_eval_mode
from wdrop.nets.draws import DrawMasks, check_rows, run_draws, watched
from wdrop.nets.dropout import replaced_dropout
from wdrop.prediction import Prediction

MAX_CHUNK = 16384  # rows times draws in flight: enough to feed the matrix products, and still in the cache
_NUMBERS_IN_FLIGHT = 2**21  # of input or widest layer, times draws: pictures and wide networks go in smaller chunks


def sample(
    net: nn.Module,
    x: Tensor,
    n_samples: int = 200,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | str | None = None,
    chunk_size: int | None = None,
) -> Tensor:
    """Outputs of `n_samples` sub-networks at every row of x: (s, n, d).

    A draw is one network: its mask serves all rows, so what it says of a row does not depend on the others.
    Only dropout is stochastic; everything else, batch norm too, is in eval mode and unchanged, and the
    network's modes are restored.

    generator   the stream of the masks; None draws from torch's global one
    layers      names of the dropout modules to use, e.g. only the last; None uses all
    chunk_size  rows times draws in flight; bounds the memory, does not change the result. None: by the size of a row
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
    layers: Collection[str] | str | None = None,
    chunk_size: int | None = None,
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
    layers: Collection[str] | str | None,
    chunk_size: int | None,
) -> None:
    """Call `visit` with draws, rows and outputs (s, n, ...); all rows of a chunk of draws share its masks."""
    check_rows(x)
    if chunk_size is None:
        chunk_size = max(1, min(MAX_CHUNK, _NUMBERS_IN_FLIGHT // max(1, x[0].numel(), _widest(net))))
    at_least(1, n_samples=n_samples, chunk_size=chunk_size)
    n_rows = min(len(x), chunk_size)
    n_draws = max(1, chunk_size // n_rows)
    masks = DrawMasks(seed_from(generator), n_draws)
    keep_freed_memory()
    with in_eval_mode(net), replaced_dropout(net, masks, layers), watched(net):
        for first in range(0, n_samples, n_draws):
            draws = slice(first, min(first + n_draws, n_samples))
            masks.go_on(draws.stop - draws.start)
            for start in range(0, len(x), n_rows):
                rows = slice(start, min(start + n_rows, len(x)))
                masks.rewind()
                visit(draws, rows, run_draws(net, x[rows], masks))


def _widest(net: nn.Module) -> int:
    """How many numbers the widest linear layer makes of a row."""
    return max((module.out_features for module in net.modules() if isinstance(module, nn.Linear)), default=0)
