"""What a perfect forecaster scores on n points: small test sets have noise of their own."""

from collections.abc import Callable
from functools import cache

import numpy as np

from wdrop._checks import at_least, known
from wdrop.measures.intervals import coverage
from wdrop.measures.residuals import ece, etl, ks, ws

_OF_RESIDUALS: dict[str, Callable[..., float]] = {"ece": ece, "ws": ws, "ks": ks, "etl": etl, "coverage": coverage}


@cache
def floor(name: str, n: int, *, quantile: float | None = None, n_repeats: int = 400, rounded: bool = False) -> float:
    """Mean score of a perfect forecaster, y ~ N(mean, std²), over test sets of n points.

    A published ECE of 0.50 says little before one knows that on 50 points nobody can expect less than 0.50.
    With `quantile`, that quantile of its scores instead: one above the 0.95 quantile is no accident. Simulated
    `n_repeats` times from a fixed seed; for measures of the residuals only, since the others depend on the data.
    `rounded=True` is for the ECE, which then rounds as the paper's does.
    """
    known("measure with a floor", name, _OF_RESIDUALS)
    at_least(1, n=n, n_repeats=n_repeats)
    if quantile is not None and not 0 <= quantile <= 1:
        raise ValueError(f"expected quantile in [0, 1], got {quantile}")
    if rounded and name != "ece":
        raise ValueError(f"expected rounded=True for 'ece' alone, got it for {name!r}")
    options = {"rounded": True} if rounded else {}
    rng = np.random.default_rng(n)
    zeros, ones = np.zeros(n), np.ones(n)
    scores = [_OF_RESIDUALS[name](zeros, ones, rng.standard_normal(n), **options) for _ in range(n_repeats)]
    return float(np.mean(scores) if quantile is None else np.quantile(scores, quantile))
