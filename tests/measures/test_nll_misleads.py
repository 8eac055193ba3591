"""The two examples with which the paper's appendix warns of NLL."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from wdrop.measures import ece, ks, nll, ws

Forecast = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def standard_normal_for(y: list[float]) -> Forecast:
    """The forecast N(0, 1) at each point, and what came."""
    return np.zeros(len(y)), np.ones(len(y)), np.asarray(y)


NEAR_THE_MEAN = standard_normal_for([0, 0.1, 0, -0.1, 0])
SCATTERED = standard_normal_for([0.5, -0.4, 0, -1.9, -0.7])


def true_forecast(std: float) -> Forecast:
    """Noise of that std and a forecaster who knows it; the same draws, whatever the std."""
    r = np.random.default_rng(0).normal(size=1000)
    return np.zeros(1000), np.full(1000, std), std * r


def test_nll_prefers_points_near_the_mean_to_points_that_scatter_as_forecast() -> None:
    assert nll(*NEAR_THE_MEAN, constant=True) == pytest.approx(0.9, abs=0.05)
    assert nll(*SCATTERED, constant=True) == pytest.approx(1.4, abs=0.05)


@pytest.mark.parametrize("measure", [ws, ks, ece])
def test_measures_of_calibration_prefer_the_points_that_scatter_as_forecast(measure: Callable[..., float]) -> None:
    assert measure(*SCATTERED) < 0.9 * measure(*NEAR_THE_MEAN)


def test_nll_of_two_true_forecasts_differs_by_the_log_of_their_stds() -> None:
    assert nll(*true_forecast(2.0)) - nll(*true_forecast(0.5)) == pytest.approx(np.log(2 / 0.5))


@pytest.mark.parametrize("measure", [ws, ks, ece])
def test_measures_of_calibration_see_no_difference_between_two_true_forecasts(measure: Callable[..., float]) -> None:
    assert measure(*true_forecast(2.0)) == pytest.approx(measure(*true_forecast(0.5)))
