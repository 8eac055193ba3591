"""Adam for the parameters of a stack, all of them in one row of memory, through torch's functional door.

`torch.optim.Adam` does the same sums. For small networks its bookkeeping (hooks, groups, state by parameter) takes
several times as long as they do.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, final

import torch
from torch import Tensor
from torch.optim.adam import adam


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
        self._n_steps = torch.tensor(0.0, device=self._row.device)
        if moments is not None:
            self._n_steps += moments.n_steps
            self._first, self._second = _side_by_side(moments.first), _side_by_side(moments.second)

    @torch.no_grad()
    def step(self) -> None:
        """Move the parameters against their gradients, and forget these."""
        adam(
            [self._row],
            [torch.cat([_gradient(parameter) for parameter in self.parameters], out=self._grad)],
            [self._first],
            [self._second],
            [],
            [self._n_steps],
            fused=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=self.learning_rate,
            weight_decay=self.weight_decay,
            eps=1e-8,
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
    return parameter.grad.reshape(-1)
