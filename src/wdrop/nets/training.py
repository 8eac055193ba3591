"""The one training loop: K networks, each on its own points, in step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop._memory import keep_freed_memory
from wdrop._random import generator_for
from wdrop.nets.adam import Adam
from wdrop.nets.feed import Feed, side_by_side
from wdrop.nets.held_out import Watch, hold_out
from wdrop.nets.masks import MaskStreams
from wdrop.nets.slopes import LossWithSlopes
from wdrop.nets.stacked import MLP, MakeDropout, Stack, fixed_dropout
from wdrop.nets.start import start_from
from wdrop.nets.threads import threads_for
from wdrop.prediction import Points

Progress = Callable[[int, int], None]
"""Told now and then: steps done, steps in all."""

StackLoss = Callable[[Stack, Tensor, Tensor, MaskStreams], Tensor]
"""Networks, x (K, b, f), y (K, b, d), masks → loss of each point and target (K, b, d)."""


EpochEnd = Callable[[Stack, Sequence[int], Sequence[int]], None]
"""Told when networks end an epoch: the stack in training, their places in it, their numbers among all."""

_STEPS_AT_ONCE = 50  # batches are gathered and progress is told so often,
_NUMBERS_AT_ONCE = 2**24  # or more often where 50 steps would gather more than this
_UNITS_AT_ONCE = 2**17  # of one layer, in all networks together: half a MiB for each draw


def silent(done: int, total: int) -> None:
    """Progress for nobody."""


@dataclass(frozen=True, kw_only=True)
class Training:
    """Adam with constant rate, as in the paper: batches reshuffled each epoch, the incomplete last one dropped.

    `weight_decay` is the L2 term inside Adam's gradient, biases included. `device` is "auto" (a GPU if torch
    sees one), "cpu", "cuda", ...
    """

    epochs: int = 150
    batch_size: int = 100
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    device: str = "auto"

    def __post_init__(self) -> None:
        at_least(1, epochs=self.epochs, batch_size=self.batch_size)


@final
@dataclass(frozen=True, kw_only=True)
class GuidedTraining(Training):
    """Training with what the paper does without: it may stop early, and may go on from networks that are there.

    `held_out` is the share of the rows on which a network is judged every 50 steps; it keeps its best weights, and
    stops when `patience` such looks were in vain. 0 trains on all rows to the end. `start` has one network for each
    that is trained, in the order of the stack.
    """

    held_out: float = 0.0
    patience: int = 20
    start: tuple[nn.Sequential, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(1, patience=self.patience)
        if not 0 <= self.held_out < 1:
            raise ValueError(f"expected held_out in [0, 1), got {self.held_out}")


def device_for(name: str) -> torch.device:
    """The device of that name; "auto" is a GPU if torch sees one, else the CPU."""
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train_stack(
    loss: StackLoss,
    net: MLP,
    training: Training,
    trains: Sequence[Points],
    *,
    seeds: Sequence[int],
    outputs_per_target: int = 1,
    make_dropout: MakeDropout = fixed_dropout,
    at_epoch_end: EpochEnd | None = None,
    progress: Progress = silent,
) -> Stack:
    """One trained network for each set of points, all trained as one stack.

    Initial weights, order of the rows and masks of a network come from streams named by its seed: who shares its
    stack changes what it becomes by rounding only, which long training can amplify. Sets may differ in size; a
    network that has done its steps is left alone. A set smaller than the batch size is taken whole, as its own batch.

    Weights multiply the loss of each point and target, and are taken relative to their mean over the set.
    """
    n_features, n_targets = _common_widths(trains, seeds)
    device = device_for(training.device)
    weights = [generator_for(seed, "weights") for seed in seeds]
    orders = [generator_for(seed, "order") for seed in seeds]
    masks = [generator_for(seed, "masks", device=device) for seed in seeds]
    shape = net, n_features, n_targets * outputs_per_target
    stack = Stack.initial(*shape, generators=weights, dtype=trains[0].x.dtype, make_dropout=make_dropout).to(device)
    stack.n_points = torch.tensor([train.size for train in trains], device=device, dtype=trains[0].x.dtype)
    trains = [train.to(device) for train in trains]
    trains, watch = _guided(stack, loss, training, trains, seeds, at_epoch_end)
    runs = [
        _Run(k, Feed(train, training.batch_size, order), mask, training.epochs)
        for k, (train, order, mask) in enumerate(zip(trains, orders, masks, strict=True))
    ]
    groups = _groups(runs, net.width)
    total = sum(max(run.n_steps for run in group) for group in groups)
    done = 0
    keep_freed_memory()
    for group in groups:
        with threads_for(len(group) * group[0].feed.batch_size * net.width**2):
            for n_new in _train_group(loss, stack, group, training, at_epoch_end, watch):
                done += n_new
                progress(done, total)
    if watch is not None:
        watch.restore(stack)
        progress(total, total)  # also if it stopped early
    return stack


def _guided(
    stack: Stack,
    loss: StackLoss,
    training: Training,
    trains: Sequence[Points],
    seeds: Sequence[int],
    at_epoch_end: EpochEnd | None,
) -> tuple[Sequence[Points], Watch | None]:
    """Start where `training` says; the rows to train on, and the watch over the others if some are held out."""
    if not isinstance(training, GuidedTraining):
        return trains, None
    if training.start:
        start_from(stack, training.start)
    if training.held_out == 0:
        return trains, None
    if at_epoch_end is not None:
        raise ValueError("this method averages the later epochs of training and cannot stop early; hold nothing out")
    parts = [hold_out(train, training.held_out, seed) for train, seed in zip(trains, seeds, strict=True)]
    return [part for part, _ in parts], Watch(loss, [held for _, held in parts], seeds, training.patience)


def _common_widths(trains: Sequence[Points], seeds: Sequence[int]) -> tuple[int, int]:
    if len(trains) != len(seeds) or not trains:
        raise ValueError(f"expected a generator for each of at least one set, got {len(seeds)} for {len(trains)}")
    widths = {(train.x.shape[1], train.y.shape[1]) for train in trains}
    if len(widths) > 1:
        raise ValueError(f"expected equally many features and targets in one stack, got {sorted(widths)}")
    for train in trains:
        if len(train) == 0:
            raise ValueError("expected at least one point to train on, got none")
        if train.weight is not None and train.weight.sum() == 0:
            raise ValueError("expected some weight above 0 to train on, got none")
    return widths.pop()


@dataclass(frozen=True, eq=False)
class _Run:
    """One network of the stack: its row there, its batches, its masks, how long it trains."""

    row: int
    feed: Feed
    masks: Generator
    epochs: int

    @property
    def n_steps(self) -> int:
        return self.epochs * self.feed.steps_per_epoch


def _groups(runs: Sequence[_Run], width: int) -> list[list[_Run]]:
    """Networks that share products: those with equal batch size, as sets smaller than the batch size stand apart.

    Larger stacks are no cheaper for each network; from some thirty on they cost twice as much, being out of the cache.
    """

    def size(run: _Run) -> int:
        return run.feed.batch_size

    groups = []
    for batch_size, alike in groupby(sorted(runs, key=size), size):
        n_at_once = max(1, _UNITS_AT_ONCE // (batch_size * width))
        group = list(alike)
        groups += [group[i : i + n_at_once] for i in range(0, len(group), n_at_once)]
    return groups


def _train_group(
    loss: StackLoss,
    stack: Stack,
    runs: Sequence[_Run],
    training: Training,
    at_epoch_end: EpochEnd | None,
    watch: Watch | None,
) -> Iterator[int]:
    """Train these networks in stages; at the end of each, those that have done their steps leave.

    Yields now and then how many steps were made since the last time.
    """
    optimizer: Adam | None = None
    masks = MaskStreams([run.masks for run in runs])
    step = 0
    for end in sorted({run.n_steps for run in runs}):
        stays = [i for i, run in enumerate(runs) if run.n_steps >= end]
        runs = [runs[i] for i in stays]
        rows = [run.row for run in runs]
        part = stack.take(rows)
        settings = training.learning_rate, training.weight_decay
        optimizer = Adam(part.parameters(), *settings, moments=optimizer and optimizer.moments_of(stays))
        masks = masks.take(stays)
        at_once = min(_STEPS_AT_ONCE, max(1, _NUMBERS_AT_ONCE // sum(run.feed.numbers_per_step for run in runs)))
        while step < end:
            n = min(at_once, end - step)
            xs, ys, weights = side_by_side([run.feed.take(n) for run in runs])
            for x, y, weight in zip(xs, ys, weights, strict=True):
                step += 1
                _set_gradients(loss, part, x, y, weight, masks)
                optimizer.step()
                if at_epoch_end is not None:
                    ended = [i for i, run in enumerate(runs) if step % run.feed.steps_per_epoch == 0]
                    if ended:
                        at_epoch_end(part, ended, [rows[i] for i in ended])
            yield n
            if watch is not None and watch.all_stopped(part, rows):
                return
        stack.put(rows, part)


def _set_gradients(
    loss: StackLoss, stack: Stack, x: Tensor, y: Tensor, weight: Tensor | None, masks: MaskStreams
) -> None:
    """The gradient of the weighted mean over points and targets, summed over networks: no network feels another."""
    share = 1 / y[0].numel() if weight is None else weight / y[0].numel()
    if isinstance(loss, LossWithSlopes) and stack.fixed_rates is not None:
        loss.descend(stack, x, y, share, masks)
    else:
        values = loss(stack, x, y, masks)
        values.backward(share if isinstance(share, Tensor) else torch.full_like(values, share))
