"""Early stopping: a part of the rows is held out, and the weights that did best on it are kept."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import Stack
from wdrop.prediction import Points


def hold_out(train: Points, share: float, seed: int) -> tuple[Points, Points]:
    """The rows to train on and the rows held out, in a random order that the seed names."""
    n_held = max(1, round(share * len(train)))
    if n_held >= len(train):
        raise ValueError(f"expected rows left to train on, got {len(train)} rows with a share of {share} held out")
    order = torch.randperm(len(train), generator=generator_for(seed, "held out")).to(train.x.device)
    return train[order[n_held:]], train[order[:n_held]]


class Watch:
    """The best weights so far of each network, by its own loss on the rows held out for it.

    Each network is judged by its own rows and always under the same masks: neither its neighbours in the stack nor
    the luck of the draw decides when it stops.
    """

    def __init__(
        self,
        loss: Callable[[Stack, Tensor, Tensor, MaskStreams], Tensor],
        held: Sequence[Points],
        seeds: Sequence[int],
        patience: int,
    ) -> None:
        self.loss = loss
        self.held = held
        self.seeds = seeds
        self.patience = patience
        self.lowest = [float("inf")] * len(held)
        self.best: list[list[Tensor]] = [[] for _ in held]
        self.n_in_vain = [0] * len(held)

    @torch.no_grad()
    def all_stopped(self, stack: Stack, numbers: Sequence[int]) -> bool:
        """Judge these networks once more, given by their numbers among all; whether none of them gains any longer."""
        for place, k in enumerate(numbers):
            if self.n_in_vain[k] >= self.patience:
                continue
            value = self._loss_of(stack.take([place]), k)
            self.n_in_vain[k] += 1
            if value < self.lowest[k]:
                self.lowest[k], self.n_in_vain[k] = value, 0
                self.best[k] = [parameter[place].clone() for parameter in stack.parameters()]
        return all(self.n_in_vain[k] >= self.patience for k in numbers)

    @torch.no_grad()
    def restore(self, stack: Stack) -> None:
        """Give every network of the whole stack its best weights back."""
        for k, best in enumerate(self.best):
            for parameter, values in zip(stack.parameters(), best, strict=bool(best)):
                parameter[k] = values

    def _loss_of(self, network: Stack, k: int) -> float:
        held = self.held[k]
        masks = MaskStreams([generator_for(self.seeds[k], "held out masks", device=held.x.device)])
        values = self.loss(network, held.x[None], held.y[None], masks)[0]
        return float(values.mean() if held.weight is None else (values * held.weight).sum() / held.weight.sum())
