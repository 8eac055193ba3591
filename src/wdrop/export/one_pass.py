"""The closed-form moments of a chain of layers, in a graph: the two sweeps of `wdrop.moments.sweeps`."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from scipy.special import roots_hermitenorm
from torch import Tensor

from wdrop.export.graphs import Value
from wdrop.export.layers import FLOAT, gaussian_below, gaussian_density
from wdrop.moments import smooth
from wdrop.moments.activations import Activation, Identity, Rectifier, Smooth
from wdrop.moments.chain import Linear, Scale, Step, Units
from wdrop.moments.rectified import TINY


class Told(NamedTuple):
    """Mean and std of the outputs, each (n, d)."""

    mean: Value
    std: Value


class _Source(NamedTuple):
    """What units pass on, None: all; and the variance that arises in them, None: none; each (n, w)."""

    gate: Value | None
    injected: Value | None


def moments(steps: Sequence[Step], x: Value) -> Told:
    """Mean and std of all sub-networks of one chain (K = 1)."""
    mean, sources = _up(steps, x.to(FLOAT))
    return Told(mean, _down(steps, sources, mean).sqrt())


def _up(steps: Sequence[Step], x: Value) -> tuple[Value, list[_Source]]:
    mean, variance = x, None
    sources: list[_Source] = []
    for step in steps:
        if isinstance(step, Linear):
            mean = mean @ step.weight[0]
            mean = mean if step.bias is None else mean + step.bias[0]
            variance = None if variance is None else variance @ step.weight[0].square()
        elif isinstance(step, Scale):
            mean = mean * step.factor[0] + step.shift[0]
            variance = None if variance is None else variance * step.factor[0].square()
        elif variance is None:
            mean = _value(step.activation, mean)
            injected = mean.square() * step.odds if step.p > 0 else None
            sources.append(_Source(None, injected))  # nothing lies below that could be passed on
            variance = injected
        else:
            mean, gate, injected = _passed(step, mean, variance)
            sources.append(_Source(gate, injected))
            variance = injected + (variance if gate is None else gate.square() * variance)
    return mean, sources


def _down(steps: Sequence[Step], sources: Sequence[_Source], mean: Value) -> Value:
    """The variance of every output. u is a tensor (d, w) up to the first gate, then a value (d, n, w)."""
    left, total = list(sources), mean * 0.0
    u: Tensor | Value = torch.eye(_n_outputs(steps))
    for step in reversed(steps):
        if isinstance(step, Linear):
            u = u @ step.weight[0].T.to(torch.float32)
        elif isinstance(step, Scale):
            u = u * step.factor[0].to(torch.float32)
        else:
            source = left.pop()
            if source.injected is not None:
                total = total + _contribution(u, source.injected)
            if source.gate is not None:
                u = source.gate * (u.unsqueeze(1) if isinstance(u, Tensor) else u)
    return total


def _n_outputs(steps: Sequence[Step]) -> int:
    last = next((step for step in reversed(steps) if isinstance(step, Linear)), None)
    if last is None:
        raise ValueError("expected a network with a linear layer, got none")
    return last.weight.shape[-1]


def _contribution(u: Tensor | Value, injected: Value) -> Value:
    if isinstance(u, Tensor):
        return injected @ u.square().T
    return (u.square() * injected).sum(-1).swapped(1, 0)


def _value(activation: Activation, a: Value) -> Value:
    """Where a is known: f(a)."""
    if isinstance(activation, Identity):
        return a
    if isinstance(activation, Rectifier):
        return a.apply("Relu") if activation.leak == 0 else a.apply("LeakyRelu", alpha=activation.leak)
    return _smooth(activation)(a)[0]


def _passed(units: Units, m: Value, v: Value) -> tuple[Value, Value | None, Value]:
    """Mean, gate and injected variance where a ~ N(m, v), as `Activation.passed` has them."""
    if isinstance(units.activation, Identity):
        return m, None, (m.square() + v) * units.odds
    if not isinstance(units.activation, Rectifier):
        return _quadrature(units, m, v)
    s = v.at_least(TINY).sqrt()
    gate = gaussian_below(m / s)
    mean = m * gate + gaussian_density(m / s) * s
    own = (v * gate * (1 - gate) - mean * (mean - m)).apply("Relu")  # never negative but for rounding
    flat, steep = units.activation.leak, 1 - units.activation.leak
    second = (m.square() + v) * flat**2 + (m * mean + v * gate) * (1 - flat**2)
    return m * flat + mean * steep, gate * steep + flat, own * steep**2 + second.apply("Relu") * units.odds


def _quadrature(units: Units, m: Value, v: Value) -> tuple[Value, Value, Value]:
    z, weight = roots_hermitenorm(smooth.N_NODES)
    weight = weight / weight.sum()
    a = m.unsqueezed(2) + v.apply("Relu").sqrt().unsqueezed(2) * z
    f, slope = _smooth(units.activation)(a)
    mean, second, gate = f @ weight, f.square() @ weight, slope @ weight
    own = (second - mean.square() - gate.square() * v).apply("Relu")
    return mean, gate, own + second * units.odds


def _tanh(a: Value) -> tuple[Value, Value]:
    f = a.apply("Tanh")
    return f, 1 - f.square()


def _silu(a: Value) -> tuple[Value, Value]:
    sigmoid = a.apply("Sigmoid")
    return a * sigmoid, sigmoid + a * sigmoid * (1 - sigmoid)


def _gelu(a: Value) -> tuple[Value, Value]:
    below = gaussian_below(a)
    return a * below, below + a * gaussian_density(a)


_SMOOTH: dict[smooth.Derivatives, Callable[[Value], tuple[Value, Value]]] = {
    smooth.tanh: _tanh,
    smooth.silu: _silu,
    smooth.gelu: _gelu,
}


def _smooth(activation: Activation) -> Callable[[Value], tuple[Value, Value]]:
    if not isinstance(activation, Smooth) or activation.derivatives not in _SMOOTH:
        raise ValueError(
            f"{activation} cannot be written as a graph; known are {', '.join(f.__name__ for f in _SMOOTH)}"
        )
    return _SMOOTH[activation.derivatives]
