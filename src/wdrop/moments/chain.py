"""A network as a chain of steps whose moments are known: affine maps, and units with dropout behind them.

K networks of one shape are one chain; a plain `nn.Sequential` is a chain of K = 1.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor, nn

from wdrop._checks import all_finite
from wdrop.moments.activations import Activation, Identity, activation_of
from wdrop.nets.dropout import dropout_modules


@final
@dataclass(frozen=True, eq=False)
class Linear:
    """A linear layer: weight (K, in, out), bias (K, 1, out) or None."""

    weight: Tensor
    bias: Tensor | None


@final
@dataclass(frozen=True, eq=False)
class Scale:
    """Batch norm in eval mode: each unit is stretched and shifted, both (K, 1, w)."""

    factor: Tensor
    shift: Tensor


@final
@dataclass(frozen=True)
class Units:
    """An activation and dropout with rate p behind it."""

    activation: Activation
    p: float

    @property
    def odds(self) -> float:
        """The variance of a mask over its squared mean, p/(1 - p)."""
        return self.p / (1 - self.p)


Step = Linear | Scale | Units


def chain_of(net: nn.Module, layers: Collection[str] | str | None = None) -> list[Step]:
    """The steps of a plain network; refuses the first module that is none of the known ones, by name.

    Known are Linear, ReLU, LeakyReLU, GELU, SiLU, Tanh, Identity, Dropout, BatchNorm1d (as in eval mode), Flatten, and
    nn.Sequential of these. Of the dropout modules only those named by `layers` count; None: all.
    """
    for name, module in net.named_modules():
        if isinstance(module, nn.Dropout) and not 0 <= module.p < 1:
            raise ValueError(f"{title(name, module)} has a drop rate of {module.p}; expected one in [0, 1)")
    chosen = set(dropout_modules(net, layers).values())
    steps: list[Step] = []
    for name, module in flat_layers(net):
        if isinstance(module, nn.Linear):
            steps.append(_linear(name, module))
        elif isinstance(module, nn.BatchNorm1d):
            steps.append(_scale(name, module))
        elif type(module) is nn.Dropout:
            if module in chosen and module.p > 0:
                _append(steps, Units(Identity(), module.p), name, module)
        elif not isinstance(module, nn.Identity | nn.Flatten):
            activation = activation_of(module)
            if activation is None:
                raise ValueError(
                    f"{title(name, module)} has no moments in closed form; known are Linear, ReLU, LeakyReLU, GELU, "
                    'SiLU, Tanh, Dropout, BatchNorm1d, Flatten and nn.Sequential of them; use how="linearised" or '
                    '"samples"'
                )
            _append(steps, Units(activation, 0.0), name, module)
    return steps


def title(name: str, module: nn.Module) -> str:
    """How errors call a module."""
    return f"{type(module).__name__} {name!r}" if name else type(module).__name__


def flat_layers(module: nn.Module, name: str = "") -> Iterator[tuple[str, nn.Module]]:
    """The layers in the order in which they are called, with their names."""
    if type(module) is not nn.Sequential:  # a subclass may have a forward of its own
        yield name, module
        return
    for key, child in module._modules.items():
        assert child is not None
        yield from flat_layers(child, f"{name}.{key}" if name else key)


def _append(steps: list[Step], units: Units, name: str, module: nn.Module) -> None:
    """Join units with those just before them, where nothing lies between."""
    before = steps[-1] if steps else None
    if isinstance(before, Units):
        p = 1 - (1 - before.p) * (1 - units.p)
        if isinstance(units.activation, Identity):
            steps[-1] = Units(before.activation, p)
            return
        if isinstance(before.activation, Identity) and units.activation.homogeneous:
            steps[-1] = Units(units.activation, p)
            return
    if not isinstance(units.activation, Identity) and _last_but_scales(steps) is Units:
        raise ValueError(
            f"{title(name, module)} has no moments in closed form where it stands: between it and the dropout or "
            "activation before it there is no linear layer; put dropout behind the activation"
        )
    steps.append(units)


def _last_but_scales(steps: Sequence[Step]) -> type[Step] | None:
    return next((type(step) for step in reversed(steps) if not isinstance(step, Scale)), None)


def _linear(name: str, module: nn.Linear) -> Linear:
    _finite(name, module, weight=module.weight, bias=module.bias)
    bias = module.bias
    return Linear(module.weight.T.unsqueeze(0), None if bias is None else bias.view(1, 1, -1))


def _scale(name: str, module: nn.BatchNorm1d) -> Scale:
    mean, variance = module.running_mean, module.running_var
    if mean is None or variance is None:
        raise ValueError(
            f"{title(name, module)} has no running statistics, so that rows depend on each other; "
            "use track_running_stats=True"
        )
    _finite(name, module, weight=module.weight, bias=module.bias, running_mean=mean, running_var=variance)
    factor = torch.rsqrt(variance + module.eps)
    if module.affine:
        factor = factor * module.weight
    shift = -mean * factor + (module.bias if module.affine else 0.0)
    return Scale(factor.view(1, 1, -1), shift.view(1, 1, -1))


def _finite(name: str, module: nn.Module, **tensors: Tensor | None) -> None:
    all_finite(**{f"{key} of {title(name, module)}": t for key, t in tensors.items() if t is not None})
