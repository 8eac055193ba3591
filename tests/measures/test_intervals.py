import numpy as np
import pytest
from scipy.stats import norm

from wdrop.measures import coverage, width

RNG = np.random.default_rng(2)
MEAN, Y = RNG.normal(size=(2, 200))
STD = RNG.uniform(0.5, 2, size=200)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_intervals_are_scipys(level: float) -> None:
    low, high = norm.interval(level, MEAN, STD)
    assert coverage(MEAN, STD, Y, level=level) == pytest.approx(np.mean((low <= Y) & (high >= Y)))
    assert width(MEAN, STD, Y, level=level) == pytest.approx(np.mean(high - low))


def test_a_perfect_forecaster_covers_what_it_says() -> None:
    y = RNG.normal(size=100_000)
    assert coverage(np.zeros_like(y), np.ones_like(y), y) == pytest.approx(0.9, abs=0.005)


@pytest.mark.parametrize("level", [0, 1, 90])
def test_levels_out_of_range_are_refused(level: float) -> None:
    with pytest.raises(ValueError, match=r"level in \(0, 1\), got"):
        coverage(MEAN, STD, Y, level=level)
