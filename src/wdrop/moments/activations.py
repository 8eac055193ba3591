"""What an activation, and dropout behind it, do to the mean and variance of a unit."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, final

import torch.nn.functional as F
from torch import Tensor, nn

from wdrop.moments.rectified import rectified
from wdrop.moments.smooth import Derivatives, gelu, quadrature, silu, tanh


class Passed(NamedTuple):
    """Units behind activation and dropout.

    mean      of the units
    gate      the share of a deviation that is passed on, Cov(f(a), a)/v; None: all of it
    injected  the variance that arises here: the units' own, less gate² v
    """

    mean: Tensor
    gate: Tensor | None
    injected: Tensor


class Activation(ABC):
    """A function f of one unit.

    `homogeneous` if f(c a) = c f(a) for c >= 0: dropout then means the same before and behind it.
    """

    homogeneous: bool

    @abstractmethod
    def value(self, a: Tensor) -> Tensor:
        """Where a is known: f(a); it may overwrite a."""

    @abstractmethod
    def passed(self, m: Tensor, v: Tensor, odds: float) -> Passed:
        """Where a ~ N(m, v), with dropout of p/(1 - p) = odds behind it."""


@final
@dataclass(frozen=True)
class Identity(Activation):
    """No activation: all is exact."""

    homogeneous = True

    def value(self, a: Tensor) -> Tensor:
        return a

    def passed(self, m: Tensor, v: Tensor, odds: float) -> Passed:
        return Passed(m, None, odds * (m.square() + v))


@final
@dataclass(frozen=True)
class Rectifier(Activation):
    """ReLU, or leaky ReLU, which is `leak a + (1 - leak) relu(a)`."""

    leak: float = 0.0
    homogeneous = True

    def value(self, a: Tensor) -> Tensor:
        return a.relu_() if self.leak == 0 else F.leaky_relu(a, self.leak)

    def passed(self, m: Tensor, v: Tensor, odds: float) -> Passed:
        if self.leak == 0:
            return Passed(*rectified(m, v, odds))
        mean, gate, injected = rectified(m, v, 0.0)
        flat, steep = self.leak, 1 - self.leak
        second = flat**2 * (m.square() + v) + (1 - flat**2) * (m * mean + v * gate)
        return Passed(flat * m + steep * mean, flat + steep * gate, steep**2 * injected + odds * second)


@final
@dataclass(frozen=True)
class Smooth(Activation):
    """An activation with three derivatives, by quadrature."""

    derivatives: Derivatives
    homogeneous = False

    def value(self, a: Tensor) -> Tensor:
        return self.derivatives(a)[0]

    def passed(self, m: Tensor, v: Tensor, odds: float) -> Passed:
        mean, second, gate = quadrature(m, v, self.derivatives)
        own = (second - mean.square() - gate.square() * v).clamp_min(0)
        return Passed(mean, gate, own + odds * second)


def activation_of(module: nn.Module) -> Activation | None:
    """The activation that a module is, None if it is none that we know.

    GELU with approximate="tanh" counts as GELU, from which it differs by 0.0005 at most.
    """
    if isinstance(module, nn.LeakyReLU):
        return Rectifier(module.negative_slope)
    known: dict[type[nn.Module], Activation] = {
        nn.ReLU: Rectifier(),
        nn.GELU: Smooth(gelu),
        nn.SiLU: Smooth(silu),
        nn.Tanh: Smooth(tanh),
    }
    return known.get(type(module))
