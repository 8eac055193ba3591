"""What the benchmarks share: contenders take turns on one thread, and the medians of their times are compared."""

import statistics
import time
from collections.abc import Callable, Mapping

import torch

Contender = Callable[[], object]


def medians(contenders: Mapping[str, Contender], n_turns: int) -> dict[str, float]:
    """Seconds of processor time that each contender takes, the median of its turns.

    All take turns, since the machine's own speed drifts; the first turn warms up and does not count. Processor time
    leaves out what other programs take. It is what a clock on the wall would show as long as there is one thread.
    """
    torch.set_num_threads(1)
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(n_turns + 1):
        for name, run in contenders.items():
            taken = processor_seconds(run)
            if turn > 0:
                seconds[name].append(taken)
    return {name: statistics.median(values) for name, values in seconds.items()}


def processor_seconds(run: Contender) -> float:
    """Seconds of processor time that one call takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def conditions(n_turns: int) -> str:
    """Where and how it was measured, for the head of a table."""
    return f"torch {torch.__version__}, one thread, median of {n_turns} turns, processor time"
