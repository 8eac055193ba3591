"""Losses that set the gradients by hand."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from torch import Tensor

from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import Stack


class LossWithSlopes(ABC):
    """A loss of a stack that can set the gradients by hand: small networks feel the price of autograd."""

    @abstractmethod
    def __call__(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        """The loss of each point and target (K, b, d)."""

    @abstractmethod
    def descend(self, stack: Stack, x: Tensor, y: Tensor, share: Tensor | float, masks: MaskStreams) -> None:
        """Set the gradient of the sum over `share` times the loss. The drop rates of the stack are fixed."""


@final
@dataclass(frozen=True)
class DrawnLoss(LossWithSlopes):
    """A loss of draws.

    values  samples (s, K, b, d), y (K, b, d) → loss of each point and target (K, b, d)
    slopes  the same → its gradient with respect to the samples (s, K, b, d)
    """

    n_draws: int
    values: Callable[[Tensor, Tensor], Tensor]
    slopes: Callable[[Tensor, Tensor], Tensor]

    def __call__(self, stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        return self.values(stack.draw(x, self.n_draws, masks), y)

    def descend(self, stack: Stack, x: Tensor, y: Tensor, share: Tensor | float, masks: MaskStreams) -> None:
        stack.descend(x, self.n_draws, masks, lambda samples: self.slopes(samples, y).mul_(share))
