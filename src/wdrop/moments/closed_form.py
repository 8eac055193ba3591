"""Mean and std of a chain of layers under dropout in one pass: Gaussian pre-activations, Φ-gated adjoints."""

from collections.abc import Callable, Collection, Sequence

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import all_finite, at_least
from wdrop._memory import keep_freed_memory
from wdrop.moments.chain import Linear, Step, chain_of
from wdrop.moments.stacks import stack_mean_and_variance
from wdrop.moments.sweeps import chain_moments, diagonal_chain_moments
from wdrop.nets.draws import check_rows
from wdrop.nets.stacked import Stack
from wdrop.nets.wasserstein_head import Moments, dropout_std
from wdrop.prediction import Prediction

CHUNK_UNITS = 2**16  # of the widest layer: few enough to stay in the cache, enough to be worth the calls


def closed_form_moments(net: nn.Module, x: Tensor, *, layers: Collection[str] | str | None = None) -> Moments:
    """Mean and std of all sub-networks of a plain chain of layers, with gradients: x (n, f) → two (n, d).

    For training with `closed_form_loss`. Batch norm counts as in eval mode. `layers` names the dropout modules to use,
    None uses all. What the network may be made of: `wdrop.moments.chain.chain_of`.
    """
    steps = chain_of(net, layers)
    mean, std = chain_moments(steps, _rows(net, x).unsqueeze(0))
    return Moments(mean[0], std[0])


def stacked_closed_form_moments(stack: Stack, x: Tensor) -> Moments:
    """The same for K networks of one shape: x (K, b, f) → two (K, b, d)."""
    mean, variance = stack_mean_and_variance(stack, x)
    return Moments(mean, dropout_std(variance, 0.5))  # of odds 1


def closed_form_prediction(
    net: nn.Module,
    x: Tensor,
    n_samples: int = 0,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | str | None = None,
    chunk_size: int | None = None,
) -> Prediction:
    """Mean and std of all sub-networks, without gradients; nothing is drawn, so n_samples and generator are not used.

    `chunk_size` is the number of rows in flight; it bounds the memory.
    """
    return _in_chunks(chain_moments, net, x, layers, chunk_size)


def diagonal_moments(
    net: nn.Module,
    x: Tensor,
    n_samples: int = 0,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | str | None = None,
    chunk_size: int | None = None,
) -> Prediction:
    """The same with all units taken as independent: no way down, and far off on trained networks. For comparison."""
    return _in_chunks(diagonal_chain_moments, net, x, layers, chunk_size)


@torch.no_grad()
def _in_chunks(
    moments: Callable[[Sequence[Step], Tensor], Moments],
    net: nn.Module,
    x: Tensor,
    layers: Collection[str] | str | None,
    chunk_size: int | None,
) -> Prediction:
    steps, x = chain_of(net, layers), _rows(net, x)
    if chunk_size is None:
        chunk_size = max(1, CHUNK_UNITS // _width(steps))
    at_least(1, chunk_size=chunk_size)
    keep_freed_memory()
    parts = [moments(steps, rows.unsqueeze(0)) for rows in x.split(chunk_size)]
    mean, std = (torch.cat(part, 1)[0] for part in zip(*parts, strict=True))
    if not (mean.isfinite().all() and std.isfinite().all()):
        raise ValueError(
            f"the moments of {type(net).__name__} overflow {x.dtype}; scale x and weights, or use double()"
        )
    return Prediction(mean, std)


def _width(steps: Sequence[Step]) -> int:
    return max((max(step.weight.shape[1:]) for step in steps if isinstance(step, Linear)), default=1)


def _rows(net: nn.Module, x: Tensor) -> Tensor:
    """The input as (n, f), checked."""
    check_rows(x)
    all_finite(x=x)
    if x.ndim > 2 and isinstance(next(iter(net.children()), None), nn.Flatten):
        return x.flatten(1)
    if x.ndim != 2:
        raise ValueError(f"expected x (n, f), got {tuple(x.shape)}; put nn.Flatten first, or flatten x")
    return x
