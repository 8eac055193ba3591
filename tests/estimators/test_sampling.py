import numpy as np
from scipy.stats import kstest, norm

from wdrop.estimators.sampling import LEVELS, drawn


def test_draws_follow_the_quantiles() -> None:
    quantiles = norm.ppf(LEVELS)[:, None, None] * [[[1.0], [2.0]]]
    draws = drawn(quantiles, np.random.default_rng(0).uniform(size=(5000, 2, 1)))
    assert kstest(draws[:, 0, 0], "norm").pvalue > 0.01
    assert kstest(draws[:, 1, 0] / 2, "norm").pvalue > 0.01


def test_infinite_ends_give_finite_draws() -> None:
    ends = np.where(LEVELS < 0.5, -np.inf, np.inf)
    quantiles = np.where(np.abs(LEVELS - 0.5) < 0.4, LEVELS, ends)[:, None, None]
    draws = drawn(quantiles, np.random.default_rng(0).uniform(size=(100, 1, 1)))
    assert 0.09 < draws.min() < draws.max() < 0.91
