"""Adam for the parameters of a stack, through torch's functional door.

`torch.optim.Adam` does the same sums. For small networks its bookkeeping (hooks, groups, state by parameter) takes
three times as long as they do.
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
    """Kingma & Ba 2015 with its usual constants; `weight_decay` adds to the gradient, biases included."""

    def __init__(
        self, parameters: Iterable[Tensor], learning_rate: float, weight_decay: float, *, moments: Moments | None = None
    ) -> None:
        self.parameters = [parameter for parameter in parameters if parameter.requires_grad]
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        n_steps, self._first, self._second = moments or Moments(
            0, [torch.zeros_like(p) for p in self.parameters], [torch.zeros_like(p) for p in self.parameters]
        )
        self._steps = [torch.tensor(float(n_steps), device=p.device) for p in self.parameters]

    @torch.no_grad()
    def step(self) -> None:
        """Move the parameters against their gradients, and forget these."""
        adam(
            self.parameters,
            [_gradient(parameter) for parameter in self.parameters],
            self._first,
            self._second,
            [],
            self._steps,
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
        first, second = ([moment[list(rows)] for moment in part] for part in (self._first, self._second))
        return Moments(int(self._steps[0]), first, second)


def _gradient(parameter: Tensor) -> Tensor:
    assert parameter.grad is not None, "every parameter of a stack takes part in its loss"
    return parameter.grad.contiguous()  # as the parameters are: the fused kernel takes memory as it lies
