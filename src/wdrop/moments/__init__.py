"""Mean and std of a dropout network."""

from collections.abc import Callable, Collection
from types import MappingProxyType

from torch import Generator, Tensor, nn

from wdrop._checks import known
from wdrop.moments.sampled import sample, sampled_moments
from wdrop.prediction import Prediction

__all__ = ["HOW", "predict", "sample"]

HOW: MappingProxyType[str, Callable[..., Prediction]] = MappingProxyType({"samples": sampled_moments})
"""The ways to a dropout network's moments, by name."""


def predict(
    net: nn.Module,
    x: Tensor,
    how: str = "samples",
    *,
    n_samples: int = 200,
    generator: Generator | None = None,
    layers: Collection[str] | str | None = None,
    chunk_size: int | None = None,
) -> Prediction:
    """Mean and std of a dropout network at every row of x: a `Prediction` with (n, d).

    how         "samples": mean and unbiased std of `n_samples` sub-networks, drawn as `sample` draws them
    generator   the stream of the masks; None draws from torch's global one
    layers      names of the dropout modules to use, e.g. only the last; None uses all
    chunk_size  rows times draws in flight; bounds the memory, does not change the result. None: by the size of a row
    """
    known("way to predict", how, HOW)
    return HOW[how](net, x, n_samples, generator=generator, layers=layers, chunk_size=chunk_size)
