"""Which part of a fit takes which share of its time, by torch's own profiler."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch

from torch.autograd.profiler_util import FunctionEvent
from torch.profiler import ProfilerActivity, profile, record_function

from wdrop.nets.masks import MaskStreams

PRODUCTS, MASKS, OPTIMIZER, BATCHES, ELEMENTWISE, OVERHEAD = PARTS = (
    "matrix products", "masks", "optimizer", "gathering batches", "elementwise and sums", "Python and autograd",
)  # fmt: skip

_PRODUCTS = {"aten::bmm", "aten::baddbmm", "aten::mm", "aten::addmm", "aten::baddbmm_", "aten::addmm_"}
_BATCHES = {"aten::index", "aten::randperm", "aten::stack", "aten::cat", "aten::index_select", "aten::random_"}
_NO_WORK = {
    "aten::view", "aten::as_strided", "aten::transpose", "aten::unsqueeze", "aten::squeeze", "aten::expand",
    "aten::select", "aten::reshape", "aten::flatten", "aten::detach", "aten::empty", "aten::empty_like", "aten::unbind",
    "aten::empty_strided", "aten::mT", "aten::t", "aten::permute", "aten::resize_", "aten::_unsafe_view", "aten::to",
    "aten::slice",
}  # fmt: skip


def shares(fit: Callable[[], object], n_turns: int = 3) -> dict[str, float]:
    """The share of each part in the time of a fit: the quickest of the turns with and without the profiler.

    Watching costs time, and it is paid between the operations. So their own times are taken from a fit that is
    watched, and what is between them is what is missing to a fit that is not.
    """
    fit()
    seconds = min(_wall_seconds(fit) for _ in range(n_turns))
    spent = min((_watched(fit) for _ in range(n_turns)), key=lambda parts: sum(parts.values()))
    if not spent[MASKS]:
        raise RuntimeError("expected masks while the profiler watched, got none; name what draws them now")
    known = sum(spent.values())
    return {part: spent[part] / max(seconds, known) for part in PARTS[:-1]} | {OVERHEAD: max(0.0, 1 - known / seconds)}


def _watched(fit: Callable[[], object]) -> dict[str, float]:
    """Seconds of the operations of each part."""
    with _named_masks(), profile(activities=[ProfilerActivity.CPU], acc_events=True) as watched:
        fit()
    spent: dict[str, float] = dict.fromkeys(PARTS, 0.0)
    for event in watched.events() or []:
        spent[_part(event)] += float(event.self_cpu_time_total) / 1e6
    del spent[OVERHEAD]
    return spent


def _wall_seconds(fit: Callable[[], object]) -> float:
    start = time.perf_counter()
    fit()
    return time.perf_counter() - start


@contextmanager
def _named_masks() -> Iterator[None]:
    """Masks under a name of their own: much of their time is numpy's, of which torch knows nothing."""

    def named(draw: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(draw)
        def run(*args: Any, **options: Any) -> Any:
            with record_function(MASKS):
                return draw(*args, **options)

        return run

    with patch.multiple(MaskStreams, keep=named(MaskStreams.keep), uniform=named(MaskStreams.uniform)):
        yield


def _part(event: FunctionEvent) -> str:
    """The part to which an operation's own time belongs."""
    if _below(event, MASKS):
        return MASKS
    if _below(event, "Optimizer.") or event.name.startswith("aten::_fused_adam"):
        return OPTIMIZER
    if event.name in _PRODUCTS:
        return PRODUCTS
    if event.name in _BATCHES or _below(event, "aten::index") or _below(event, "aten::stack"):
        return BATCHES
    if event.name in _NO_WORK or not event.name.startswith("aten::"):
        return OVERHEAD
    return ELEMENTWISE


def _below(event: FunctionEvent | None, start: str) -> bool:
    """Is the event, or one that it is part of, called so?"""
    while event is not None:
        if event.name.startswith(start):
            return True
        event = event.cpu_parent
    return False
