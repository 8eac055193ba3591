"""Adam for the parameters of a stack, all of them in one row of memory, by torch's fused kernel.

`torch.optim.Adam` does the same sums by the same kernel. For small networks its bookkeeping (hooks, groups, state by
parameter) takes several times as long as they do, and that of its functional form still twice as long.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, final

import torch
from torch import Tensor


class Moments(NamedTuple):
    """What Adam remembers: steps made, running means of the gradient and of its square, one per parameter."""

    n_steps: int
    first: list[Tensor]
    second: list[Tensor]


@final
class Adam:
    """Kingma & Ba 2015 with its usual constants; `weight_decay` adds to the gradient, biases included.

    It moves the parameters to memory of its own, where they lie side by side.
    """

    def __init__(
        self, parameters: Iterable[Tensor], learning_rate: float, weight_decay: float, *, moments: Moments | None = None
    ) -> None:
        self.parameters = list(parameters)
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self._row = _side_by_side([parameter.detach() for parameter in self.parameters])
        for parameter, place in zip(self.parameters, self._split(self._row), strict=True):
            parameter.data = place
        self._grad, self._first, self._second = (torch.zeros_like(self._row) for _ in range(3))
        self._gradients = self._split(self._grad)
        self._n_steps = torch.tensor(0.0, device=self._row.device)
        if moments is not None:
            self._n_steps += moments.n_steps
            self._first, self._second = _side_by_side(moments.first), _side_by_side(moments.second)

    @torch.no_grad()
    def step(self) -> None:
        """Move the parameters against their gradients, and forget these."""
        torch._foreach_copy_(self._gradients, [_gradient(parameter) for parameter in self.parameters])
        self._n_steps += 1
        torch._fused_adam_(
            [self._row],
            [self._grad],
            [self._first],
            [self._second],
            [],  # no greatest second moments, which AMSGrad keeps
            [self._n_steps],
            lr=self.learning_rate,
            beta1=0.9,
            beta2=0.999,
            weight_decay=self.weight_decay,
            eps=1e-8,
            amsgrad=False,
            maximize=False,
        )
        for parameter in self.parameters:
            parameter.grad = None

    def moments_of(self, rows: Sequence[int]) -> Moments:
        """What it remembers of some of the networks."""
        first, second = ([part[list(rows)] for part in self._split(row)] for row in (self._first, self._second))
        return Moments(int(self._n_steps), first, second)

    def _split(self, row: Tensor) -> list[Tensor]:
        pieces = row.split([parameter.numel() for parameter in self.parameters])
        return [piece.view(parameter.shape) for piece, parameter in zip(pieces, self.parameters, strict=True)]


def _side_by_side(tensors: Sequence[Tensor]) -> Tensor:
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def _gradient(parameter: Tensor) -> Tensor:
    assert parameter.grad is not None, "every parameter of a stack takes part in its loss"
    return parameter.grad
