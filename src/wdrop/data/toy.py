"""The paper's toy sets: one input, one target, unscaled."""

from collections.abc import Callable
from types import MappingProxyType

import torch
from torch import Generator, Tensor

from wdrop._checks import at_least
from wdrop.prediction import Points


def toy_noise(*, generator: Generator, n_x: int = 2000, n_draws: int = 10) -> Points:
    """Gaussian noise around zero, loud in the middle and silent at the edges.

    y ~ N(0, std exp(-0.02 x²)), `n_draws` times at each of `n_x` equidistant x in [-15, 15].
    """
    at_least(1, n_x=n_x, n_draws=n_draws)
    x = torch.linspace(-15, 15, n_x).repeat_interleave(n_draws).unsqueeze(1)
    return Points(x, toy_noise_std(x) * torch.randn(x.shape, generator=generator))


def toy_noise_std(x: Tensor) -> Tensor:
    """The true std of toy-noise at x."""
    return torch.exp(-0.02 * x.square())


def toy_hf(*, generator: Generator, n: int = 1000) -> Points:
    """A polynomial under a fast sine, without noise: what a small network cannot follow acts as noise.

    y = 0.25 x² - 0.01 x³ + 40 exp(-(x + 1)²/200) sin 3x at `n` equidistant x in [-15, 20].
    Nothing here is random; the generator is the signature of all toy sets.
    """
    at_least(1, n=n)
    x = torch.linspace(-15, 20, n).unsqueeze(1)
    wave = 40 * torch.exp(-(x + 1).square() / 200) * torch.sin(3 * x)
    return Points(x, 0.25 * x**2 - 0.01 * x**3 + wave)


def noisy_line(*, generator: Generator, n: int = 1000, std: float = 1.0) -> Points:
    """Zero plus noise of one std: y ~ N(0, std), x ~ U(-1, 1). The paper gives no n; ours is 1000."""
    at_least(1, n=n)
    if not 0 <= std < float("inf"):
        raise ValueError(f"expected std of at least 0, got {std}")
    x = torch.rand(n, 1, generator=generator) * 2 - 1
    return Points(x, std * torch.randn(n, 1, generator=generator))


TOYS: MappingProxyType[str, Callable[..., Points]] = MappingProxyType(
    {"toy-noise": toy_noise, "toy-hf": toy_hf, "noisy-line": noisy_line}
)
