"""Mean and std of a relu network under dropout in closed form, in numpy; see `moments.sweeps` for the way."""

from collections.abc import Sequence
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
_ROWS_AT_ONCE = 512  # small enough for what a chunk needs to stay in the cache
_TINY = np.float32(1e-24)


class Layer(NamedTuple):
    """A linear layer, weight (in, out), with relu and dropout of rate p behind it."""

    weight: Array
    bias: Array
    is_rectified: bool = False
    p: float = 0.0

    @property
    def odds(self) -> np.float32:
        """The variance of a mask over its squared mean, p/(1 - p)."""
        return np.float32(self.p / (1 - self.p))


class _Source(NamedTuple):
    """The variance that arises in the units of a layer (b, w), and what they pass on of a deviation; None: all."""

    injected: Array
    gate: Array | None


def moments(layers: Sequence[Layer], x: Array) -> tuple[Array, Array]:
    """Mean and std of every output: x (n, f) → two (n, d)."""
    parts = [_moments(layers, x[i : i + _ROWS_AT_ONCE]) for i in range(0, len(x), _ROWS_AT_ONCE)]
    return np.concatenate([mean for mean, _ in parts]), np.concatenate([std for _, std in parts])


def _moments(layers: Sequence[Layer], x: Array) -> tuple[Array, Array]:
    sources: list[_Source | None] = []
    mean: Array = x
    variance: Array | None = None
    for layer in layers[:-1]:
        mean = mean @ layer.weight + layer.bias
        if variance is None:  # all is known so far
            mean = np.maximum(mean, 0)
            source = _Source(layer.odds * np.square(mean), None) if layer.p else None
            variance = None if source is None else source.injected
        else:
            before = variance @ np.square(layer.weight)
            mean, source = _rectified(mean, before, layer.odds)
            assert source.gate is not None
            if layer is not layers[-2]:
                variance = np.asarray(source.injected + np.square(source.gate) * before)
        sources.append(source)
    mean = mean @ layers[-1].weight + layers[-1].bias
    return mean, np.sqrt(_down(layers, sources, mean))


def _rectified(m: Array, v: Array, odds: np.float32) -> tuple[Array, _Source]:
    """Mean, and what arises, of relu(a) with dropout behind it, a ~ N(m, v)."""
    s: Array = np.sqrt(np.maximum(v, _TINY))
    gate, density = _normal(m / s)
    mean = m * gate + s * density
    passed = v * gate
    injected = passed * (1 - gate) - mean * (mean - m)
    if odds > 0:
        injected += odds * (m * mean + passed)
    return mean, _Source(np.maximum(injected, 0), gate)


def _normal(t: Array) -> tuple[Array, Array]:
    """Φ(t) and φ(t); Φ to 7.5e-8, as good as single precision has it (Abramowitz & Stegun 26.2.17).

    scipy's takes as long to load as all of this takes to run.
    """
    size = np.abs(t)
    density = np.exp(np.square(t) * _HALF) * _TOP
    k = 1 / (1 + _A0 * size)
    beyond = k * (_A1 + k * (_A2 + k * (_A3 + k * (_A4 + k * _A5)))) * density  # 1 - Φ(|t|)
    return np.where(t > 0, 1 - beyond, beyond), density


_HALF, _TOP = np.float32(-0.5), np.float32(1 / sqrt(2 * pi))
_A0, _A1, _A2, _A3, _A4, _A5 = (
    np.float32(a) for a in (0.2316419, 0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
)


def _down(layers: Sequence[Layer], sources: Sequence[_Source | None], mean: Array) -> Array:
    """The variance of every output: for each, what arises in all units times the square of what it does there."""
    total = np.zeros_like(mean)
    for j in range(mean.shape[1]):
        u: Array = layers[-1].weight[None, :, j]  # what a deviation of a unit does to the output: (1 or b, w)
        for i in reversed(range(len(sources))):
            source = sources[i]
            if source is not None:
                total[:, j] += np.einsum(
                    "bw,bw->b", source.injected, np.broadcast_to(np.square(u), source.injected.shape)
                )
                if source.gate is not None:
                    u = u * source.gate
            if i > 0:
                u = u @ layers[i].weight.T
    return total
