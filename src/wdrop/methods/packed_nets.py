"""The modules that our networks are made of, taken apart and put together again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import torch
from torch import Tensor, nn

from wdrop.nets.concrete import ConcreteDropout
from wdrop.nets.stacked import FixedDropout, Stack


@final
@dataclass(frozen=True)
class ModuleKind:
    """How modules of one kind become named parts, and come back from them."""

    kind: type[nn.Module]
    parts: Callable[[Any], Mapping[str, object]]
    build: Callable[..., nn.Module]


def _sequential(layers: Sequence[nn.Module]) -> nn.Sequential:
    return nn.Sequential(*layers).eval()


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    # on no device: initial weights would be drawn from torch's global stream, and thrown away
    linear = nn.Linear(weight.shape[1], weight.shape[0], dtype=weight.dtype, device="meta")
    linear.weight, linear.bias = nn.Parameter(weight), nn.Parameter(bias)
    return linear


def _concrete(logit: Tensor) -> ConcreteDropout:
    module = ConcreteDropout()
    module.logit = nn.Parameter(logit)
    return module


def _stack(weights: Sequence[Tensor], biases: Sequence[Tensor], rates: Sequence[float], n_points: Tensor) -> Stack:
    stack = Stack(weights, biases, [FixedDropout(p) for p in rates])
    stack.n_points = n_points
    return stack


def _stack_parts(stack: Stack) -> Mapping[str, object]:
    rates = []
    for dropout in stack.dropouts:
        if not isinstance(dropout, FixedDropout):
            raise TypeError(f"a stack with {type(dropout).__name__} cannot be saved; expected fixed dropout")
        rates.append(dropout.p)
    weights, biases = ([parameter.detach() for parameter in part] for part in (stack.weights, stack.biases))
    return {"weights": weights, "biases": biases, "rates": rates, "n_points": stack.n_points}


MODULES: dict[str, ModuleKind] = {
    "Sequential": ModuleKind(nn.Sequential, lambda net: {"layers": list(net)}, _sequential),
    "Linear": ModuleKind(nn.Linear, lambda layer: {"weight": layer.weight, "bias": layer.bias}, _linear),
    "ReLU": ModuleKind(nn.ReLU, lambda _: {}, nn.ReLU),
    "Dropout": ModuleKind(nn.Dropout, lambda dropout: {"p": dropout.p}, nn.Dropout),
    "ConcreteDropout": ModuleKind(ConcreteDropout, lambda dropout: {"logit": dropout.logit}, _concrete),
    "Stack": ModuleKind(Stack, _stack_parts, _stack),
}
"""By name. A layer without a bias, or of another kind, is not ours and is refused."""


def networks_in(value: object) -> list[nn.Sequential]:
    """All networks within a predictor, in the order in which its method trained them."""
    if isinstance(value, nn.Sequential):
        return [value]
    if isinstance(value, Sequence) and not isinstance(value, str | torch.Tensor):
        return [net for entry in value for net in networks_in(entry)]
    fields = getattr(value, "__dataclass_fields__", {})
    return [net for name in fields for net in networks_in(getattr(value, name))]
