"""Mean and std of a dropout network."""

from collections.abc import Callable, Collection
from types import MappingProxyType

from torch import Generator, Tensor, nn

from wdrop._checks import known
from wdrop.moments.closed_form import closed_form_moments, closed_form_prediction, diagonal_moments
from wdrop.moments.linearised import linearised_moments
from wdrop.moments.sampled import sample, sampled_moments
from wdrop.prediction import Prediction

__all__ = ["HOW", "closed_form_moments", "diagonal_moments", "predict", "sample"]

HOW: MappingProxyType[str, Callable[..., Prediction]] = MappingProxyType(
    {"samples": sampled_moments, "closed_form": closed_form_prediction, "linearised": linearised_moments}
)
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
                "closed_form": in one pass, for a chain of layers (`closed_form_moments` says of which)
                "linearised": one pass and one backward pass per target, for any network; the coarsest of the three
    n_samples   of "samples"; the others draw nothing
    generator   the stream of the masks of "samples"; None draws from torch's global one
    layers      names of the dropout modules to use, e.g. only the last; None uses all
    chunk_size  rows (times draws) in flight; bounds the memory, does not change the result. None: by the size of a row
    """
    known("way to predict", how, HOW)
    return HOW[how](net, x, n_samples, generator=generator, layers=layers, chunk_size=chunk_size)
