"""The batches that training sees."""

from collections.abc import Sequence

import torch
from torch import Generator, Tensor

from wdrop.prediction import Points

Batches = tuple[Tensor, Tensor, Tensor | None]
"""x (steps, b, f), y (steps, b, d), weight (steps, b, d) or None."""


def side_by_side(batches: Sequence[Batches]) -> tuple[Tensor, Tensor, Sequence[Tensor | None]]:
    """The batches of all networks, each (steps, K, b, ·); where no set has weights there are none."""
    xs, ys, weights = zip(*batches, strict=True)
    x, y = torch.stack(xs, 1), torch.stack(ys, 1)
    if all(weight is None for weight in weights):
        return x, y, [None] * len(x)
    filled = [torch.ones_like(y) if weight is None else weight for y, weight in zip(ys, weights, strict=True)]
    return x, y, list(torch.stack(filled, 1))


class Feed:
    """Endless shuffled batches of one set of points."""

    def __init__(self, points: Points, batch_size: int, generator: Generator) -> None:
        self.points = points
        self.weight = None if points.weight is None else points.weight / points.weight.mean()
        self.batch_size = min(batch_size, len(points))
        self.steps_per_epoch = len(points) // self.batch_size
        self._generator = generator
        self._order = torch.empty(0, dtype=torch.int64)

    @property
    def numbers_per_step(self) -> int:
        """How many numbers a batch holds."""
        return self.batch_size * (self.points.x.shape[1] + self.points.y.shape[1])

    def take(self, n_steps: int) -> Batches:
        """The next so many batches."""
        n = n_steps * self.batch_size
        while len(self._order) < n:
            epoch = torch.randperm(len(self.points), generator=self._generator)
            self._order = torch.cat([self._order, epoch[: self.steps_per_epoch * self.batch_size]])
        rows, self._order = self._order[:n].to(self.points.x.device), self._order[n:]
        shape = (n_steps, self.batch_size, -1)
        weight = None if self.weight is None else self.weight[rows].view(shape)
        return self.points.x[rows].view(shape), self.points.y[rows].view(shape), weight
