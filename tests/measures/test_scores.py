import warnings

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.metrics import root_mean_squared_error

from wdrop.measures import crps, nll, rmse

RNG = np.random.default_rng(1)
MEAN, Y = RNG.normal(size=(2, 40))
STD = RNG.uniform(0.1, 3, size=40)


def test_rmse_is_scikit_learns() -> None:
    assert rmse(MEAN, STD, Y) == pytest.approx(root_mean_squared_error(Y, MEAN))


def test_nll_is_scipys_up_to_the_constant_that_the_paper_drops() -> None:
    full = -np.mean(norm.logpdf(Y, MEAN, STD))
    assert nll(MEAN, STD, Y, constant=True) == pytest.approx(full)
    assert nll(MEAN, STD, Y) == pytest.approx(full - 0.5 * np.log(2 * np.pi))


def test_crps_is_the_integral_that_defines_it() -> None:
    def integral(mean: float, std: float, y: float) -> float:
        below = quad(lambda t: norm.cdf(t, mean, std) ** 2, -40, y)[0]
        return below + quad(lambda t: (norm.cdf(t, mean, std) - 1) ** 2, y, 40)[0]

    some = list(zip(MEAN[:8], STD[:8], Y[:8], strict=True))
    assert crps(MEAN[:8], STD[:8], Y[:8]) == pytest.approx(np.mean([integral(*row) for row in some]), rel=1e-6)


def test_crps_and_nll_agree_with_uncertainty_toolbox() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from uncertainty_toolbox.metrics_scoring_rule import crps_gaussian, nll_gaussian
    assert crps(MEAN, STD, Y) == pytest.approx(crps_gaussian(MEAN, STD, Y))
    assert nll(MEAN, STD, Y, constant=True) == pytest.approx(nll_gaussian(MEAN, STD, Y))


def test_far_off_crps_is_the_absolute_error_where_nll_explodes() -> None:
    assert crps([0.0], [1e-3], [100.0]) == pytest.approx(100, rel=1e-4)
    assert nll([0.0], [1e-3], [100.0]) > 1e9
