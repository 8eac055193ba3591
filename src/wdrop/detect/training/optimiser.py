"""How the weights move: SqueezeDet's SGD with every gradient clipped by itself, or Adam for short trainings."""

from dataclasses import dataclass
from math import cos, inf, pi
from typing import final

import torch
from torch import nn

from wdrop._checks import known

ALGORITHMS = ("sgd", "adam")


@final
@dataclass(frozen=True, kw_only=True)
class Optimisation:
    """The published recipe by default: SGD with momentum 0.9, the rate halved every 10,000 steps.

    "adam" decays its rate to 0 along a cosine, and learns more in the first thousands of steps; 3e-4 is a good rate.
    `weight_decay` is for kernels, not for biases. `clip` is the largest norm of one parameter's gradient.
    """

    algorithm: str = "sgd"
    learning_rate: float = 0.01
    halve_every: int = 10_000
    momentum: float = 0.9
    weight_decay: float = 1e-4
    clip: float = 1.0

    def __post_init__(self) -> None:
        known("algorithm", self.algorithm, ALGORITHMS)
        if not 0 < self.learning_rate < inf:
            raise ValueError(f"expected a learning rate above 0, got {self.learning_rate}")

    def rate(self, step: int, n_steps: int) -> float:
        """The learning rate of this step, counted from 0: of the step alone, so that a resumed run agrees."""
        if self.algorithm == "adam":
            return self.learning_rate * 0.5 * (1 + cos(pi * step / n_steps))
        return self.learning_rate * 0.5 ** (step // self.halve_every)

    def optimizer(self, net: nn.Module) -> torch.optim.Optimizer:
        parameters = [parameter for parameter in net.parameters() if parameter.requires_grad]
        if self.algorithm == "adam":
            return torch.optim.Adam(parameters, lr=self.learning_rate)
        return torch.optim.SGD(parameters, lr=self.learning_rate, momentum=self.momentum)

    def move(self, optimizer: torch.optim.Optimizer, step: int, n_steps: int) -> None:
        """One step along the gradients that are there."""
        for group in optimizer.param_groups:
            group["lr"] = self.rate(step, n_steps)
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._decay_and_clip(parameter, parameter.grad)
        optimizer.step()

    @torch.no_grad()
    def _decay_and_clip(self, parameter: torch.Tensor, gradient: torch.Tensor) -> None:
        """Add the decay first, then clip: the published loss contains the decay."""
        if parameter.ndim > 1:
            gradient.add_(parameter, alpha=self.weight_decay)
        gradient.mul_((self.clip / gradient.norm().clamp(min=1e-12)).clamp(max=1))
