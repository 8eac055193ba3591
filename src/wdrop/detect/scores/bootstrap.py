"""How sure a detection score is: intervals from pictures drawn anew."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Generator

from wdrop._checks import at_least
from wdrop.detect.scores.evaluation import Matched, scores


def intervals(
    matches: Matched, *, level: float = 0.95, n_repeats: int = 200, generator: Generator
) -> Mapping[str, tuple[float, float]]:
    """The central interval of each score over sets of as many pictures, drawn with replacement.

    Whole pictures are drawn, since the boxes of one picture err together. NaN repeats, where nothing was matched, are
    left out.
    """
    at_least(2, n_repeats=n_repeats)
    at_least(1, n_pictures=matches.n_pictures)
    if not 0 < level < 1:
        raise ValueError(f"expected level in (0, 1), got {level}")
    draws = torch.randint(matches.n_pictures, (n_repeats, matches.n_pictures), generator=generator)
    found = [scores(matches.of_pictures(pictures)) for pictures in draws]
    ends = (1 - level) / 2, (1 + level) / 2
    return {name: _interval([one[name] for one in found], ends) for name in found[0]}


def _interval(values: list[float], ends: tuple[float, float]) -> tuple[float, float]:
    real = np.array([value for value in values if not np.isnan(value)])
    if not len(real):
        return float("nan"), float("nan")
    low, high = np.quantile(real, ends)
    return float(low), float(high)
