"""The dropout modules of any network: found, refused where they cannot be steered, replaced for a while."""

import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from wdrop._checks import known
from wdrop.nets.concrete import ConcreteDropout

_ELEMENTWISE = (nn.Dropout, nn.AlphaDropout)
_CHANNELWISE = (nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.FeatureAlphaDropout)
_ALPHA = (nn.AlphaDropout, nn.FeatureAlphaDropout)
_STEERED: tuple[type[nn.Module], ...] = (*_ELEMENTWISE, *_CHANNELWISE, ConcreteDropout)

# Functions that drop units, and which of their arguments is the rate: position, name, default.
_FUNCTIONAL: dict[Callable[..., Any], tuple[int, str, float]] = {
    **dict.fromkeys(
        (F.dropout, F.dropout1d, F.dropout2d, F.dropout3d, F.alpha_dropout, F.feature_alpha_dropout,
         torch.dropout, torch.dropout_, torch.alpha_dropout, torch.alpha_dropout_, torch.feature_dropout,
         torch.feature_dropout_, torch.feature_alpha_dropout, torch.feature_alpha_dropout_, torch.native_dropout),
        (1, "p", 0.5),
    ),
    F.scaled_dot_product_attention: (4, "dropout_p", 0.0),
    F.multi_head_attention_forward: (10, "dropout_p", 0.0),
}  # fmt: skip

_locks: WeakKeyDictionary[nn.Module, threading.RLock] = WeakKeyDictionary()


class Masks(Protocol):
    """Where dropout modules get their masks from, by the name of the call: (n or 1, *shape) for an input (n, ...)."""

    def keep(self, call: str, h: Tensor, shape: tuple[int, ...], p: float) -> Tensor:
        """Ones and zeros, a share p of zeros."""

    def uniform(self, call: str, h: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Uniform numbers in (0, 1)."""


def dropout_modules(net: nn.Module, layers: Collection[str] | str | None = None) -> dict[str, nn.Module]:
    """The network's dropout modules by name, or those of them that `layers` names.

    Refuses a network that has none, and one whose dropout cannot be steered from outside.
    """
    if any(isinstance(parameter, nn.UninitializedParameter) for parameter in net.parameters()):
        raise ValueError(f"{type(net).__name__} has lazy modules without weights yet; call it once on some rows first")
    found: dict[str, nn.Module] = {}
    for name, module in net.named_modules(remove_duplicate=False):
        if isinstance(module, _STEERED):
            found[name] = module
        elif _has_hidden_dropout(module):
            raise ValueError(
                f"{_title(name, module)} applies dropout of its own inside its forward, which cannot be steered; "
                "set its dropout to 0 and put nn.Dropout modules between layers instead"
            )
    for name, module in found.items():
        if not any(type(module).forward is kind.forward for kind in _STEERED):
            raise ValueError(f"{_title(name, module)} overrides the forward of its dropout; use the plain module")
    if not found:
        raise ValueError(
            f"{type(net).__name__} has no dropout modules, hence no sub-networks to draw; "
            "add nn.Dropout between its layers"
        )
    wanted = found if layers is None else [layers] if isinstance(layers, str) else list(layers)
    if not wanted:
        raise ValueError(f"expected at least one layer name, got none; its dropout modules: {', '.join(found)}")
    for name in wanted:
        known("dropout layer", name, found)
    chosen = {name: found[name] for name in found if name in wanted}
    if all(_rate(module) == 0 for module in chosen.values()):
        raise ValueError(f"all dropout rates are 0 ({', '.join(chosen)}), hence there are no sub-networks to draw")
    return {name: module for module, name in {module: name for name, module in chosen.items()}.items()}


@contextmanager
def replaced_dropout(net: nn.Module, masks: Masks, layers: Collection[str] | str | None = None) -> Iterator[None]:
    """While open, the named dropout modules (None: all) apply what `masks` give; the others do nothing.

    All modules but the dropout modules keep their mode, and every mode is as before when it closes. It is an error if
    none of them was called. One thread at a time has a network; others wait.
    """
    chosen = dropout_modules(net, layers)
    counts = dict.fromkeys(chosen, 0)
    seen: set[str] = set()
    with_gradients = torch.is_grad_enabled()

    def hook_for(name: str) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], Tensor]:
        def hook(module: nn.Module, args: tuple[Tensor, ...], output: Tensor) -> Tensor:
            if with_gradients and not torch.is_grad_enabled():
                raise ValueError(
                    f"{_title(name, module)} runs without gradients inside draw; gradient checkpointing would compute "
                    "it again without its mask: switch that off, or name other layers"
                )
            seen.add(name)
            counts[name] += 1  # a module that is called twice in one pass has two masks
            return _apply(module, name, f"{name}#{counts[name]}", output, masks)

        return hook

    with _locks.setdefault(net, threading.RLock()):
        modes = {module: module.training for module in net.modules() if isinstance(module, _STEERED)}
        handles = [module.register_forward_hook(hook_for(name)) for name, module in chosen.items()]
        handles.append(net.register_forward_pre_hook(lambda *_: counts.update(dict.fromkeys(counts, 0)), prepend=True))
        try:
            for module in modes:
                module.training = False  # the identity; the hook does the rest
            yield
        finally:
            for module, mode in modes.items():
                module.training = mode
            for handle in handles:
                handle.remove()
    if not seen:
        raise ValueError(
            f"none of the dropout modules ({', '.join(chosen)}) was called, hence nothing was drawn; "
            "call them in every mode, not only `if self.training`"
        )


class FunctionalDropoutGuard(TorchFunctionMode):
    """While open, a dropout function called outside of a dropout module is an error that names the caller."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.names = {module: name for name, module in net.named_modules()}

    def __torch_function__(
        self, func: Callable[..., Any], types: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if func in _FUNCTIONAL:
            position, name, default = _FUNCTIONAL[func]
            rate = float(args[position] if len(args) > position else kwargs.get(name, default))
            caller = self._caller()
            if rate > 0 and not isinstance(caller, _STEERED):
                title = "the network" if caller is None else _title(self.names[caller], caller)
                raise ValueError(
                    f"{title} calls {func.__name__}(p={rate}) inside its forward, which cannot be steered; "
                    "use an nn.Dropout module instead"
                )
        return func(*args, **kwargs)

    def _caller(self) -> nn.Module | None:
        """The innermost module of the network whose forward is running."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            module = frame.f_locals.get("self")
            if isinstance(module, nn.Module) and module in self.names:
                return module
            frame = frame.f_back
        return None


def _has_hidden_dropout(module: nn.Module) -> bool:
    """Whether it is one of torch's own modules that drop units without a dropout module."""
    return isinstance(module, nn.RNNBase | nn.MultiheadAttention) and module.dropout > 0


def _title(name: str, module: nn.Module) -> str:
    return f"{type(module).__name__} {name!r}" if name else type(module).__name__


def _rate(module: nn.Module) -> float:
    p = module.p
    return float(p.detach() if isinstance(p, Tensor) else p)  # type: ignore[arg-type]


def _apply(module: nn.Module, name: str, call: str, h: Tensor, masks: Masks) -> Tensor:
    shape = tuple(h.shape[1:])
    if isinstance(module, ConcreteDropout):
        return module.apply_mask(h, masks.uniform(call, h, shape))
    p = _rate(module)
    if isinstance(module, _CHANNELWISE):
        if h.ndim < 3:
            raise ValueError(f"{_title(name, module)} expected (n, channels, ...), got {tuple(h.shape)}")
        shape = (h.shape[1], *[1] * (h.ndim - 2))
    if p == 0:
        return h
    if p == 1:
        return torch.zeros_like(h)
    keep = masks.keep(call, h, shape, p)
    return _alpha_dropout(h, keep, p) if isinstance(module, _ALPHA) else h * (keep / (1 - p))


def _alpha_dropout(h: Tensor, keep: Tensor, p: float) -> Tensor:
    """Dropped units go to SELU's negative limit; an affine map then restores mean 0 and variance 1.

    Klambauer et al. 2017, "Self-Normalizing Neural Networks", section on alpha dropout.
    """
    limit = -1.7580993408473766
    scale = ((1 - p) * (1 + p * limit**2)) ** -0.5
    return scale * (h * keep + limit * (1 - keep)) - scale * limit * p
