"""A plain network in a graph: one pass, or one for each of some fixed sub-networks at once."""

from collections.abc import Callable, Sequence
from math import pi, sqrt

import torch
from torch import Tensor, nn

from wdrop._checks import all_finite
from wdrop.export.graphs import Value
from wdrop.moments.chain import flat_layers, title
from wdrop.nets.concrete import ConcreteDropout
from wdrop.nets.stacked import Stack

FLOAT = "float32"
"""Networks compute in single precision, whatever the input is in: runtimes are made for it."""


def forward(net: nn.Module, x: Value, factors: Sequence[Tensor] = ()) -> Value:
    """The network's output in eval mode: (n, d).

    With `factors`, one (s, 1, w) for each call of a dropout module, what the units are multiplied with in each of s
    sub-networks: (s, n, d).
    """
    h, left = x.to(FLOAT), list(factors)
    for name, module in flat_layers(net):
        if isinstance(module, nn.Dropout | ConcreteDropout):
            if left and not (isinstance(module, nn.Dropout) and module.p == 0):
                h = h * left.pop(0)
        else:
            h = _layer(name, module, h)
    return h


def answers(stack: Stack, x: Value) -> Value:
    """What each network of a stack says, nothing dropped: (K, n, d)."""
    h = x.to(FLOAT)
    for i, (weight, bias) in enumerate(zip(stack.weights, stack.biases, strict=True)):
        h = h @ weight + bias
        if i < len(stack.dropouts):
            h = h.apply("Relu")
    return h


def gaussian_below(a: Value) -> Value:
    """Φ(a), the share of a standard Gaussian below a."""
    return (a * sqrt(0.5)).apply("Erf") * 0.5 + 0.5


def gaussian_density(a: Value) -> Value:
    return (a.square() * -0.5).apply("Exp") * (1 / sqrt(2 * pi))


def _layer(name: str, module: nn.Module, h: Value) -> Value:
    own = {f"{key} of {title(name, module)}": tensor for key, tensor in module.state_dict().items()}
    all_finite(**own)
    if isinstance(module, nn.Linear):
        product = h @ module.weight.T
        return product if module.bias is None else product + module.bias
    if isinstance(module, nn.BatchNorm1d):
        return _batch_norm(name, module, h)
    if isinstance(module, nn.LeakyReLU):
        return h.apply("LeakyRelu", alpha=module.negative_slope)
    if isinstance(module, nn.GELU) and module.approximate == "tanh":
        return h * (1.0 + ((h + h.square() * h * 0.044715) * sqrt(2 / pi)).apply("Tanh")) * 0.5
    if type(module) not in _SIMPLE:
        raise ValueError(
            f"{title(name, module)} cannot be written as a graph; known are Linear, Dropout, BatchNorm1d, LeakyReLU, "
            f"{', '.join(kind.__name__ for kind in _SIMPLE)} and nn.Sequential of them"
        )
    return _SIMPLE[type(module)](h)


_SIMPLE: dict[type[nn.Module], Callable[[Value], Value]] = {
    nn.ReLU: lambda h: h.apply("Relu"),
    nn.Tanh: lambda h: h.apply("Tanh"),
    nn.SiLU: lambda h: h * h.apply("Sigmoid"),
    nn.GELU: lambda h: h * gaussian_below(h),
    nn.Identity: lambda h: h,
    nn.Flatten: lambda h: h,  # rows of a table are flat
}


def _batch_norm(name: str, module: nn.BatchNorm1d, h: Value) -> Value:
    mean, variance = module.running_mean, module.running_var
    if mean is None or variance is None:
        raise ValueError(f"{title(name, module)} has no running statistics; use track_running_stats=True")
    factor = torch.rsqrt(variance + module.eps)
    if module.affine:
        return (h - mean) * (factor * module.weight) + module.bias
    return (h - mean) * factor
