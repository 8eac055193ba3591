from math import ceil

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop._random import generator_for
from wdrop.calibration import Conformal
from wdrop.prediction import Prediction


def scored(n: int, n_targets: int = 1) -> tuple[Prediction, torch.Tensor]:
    generator = generator_for("conformal", n)
    std = torch.rand(n, n_targets, generator=generator) + 0.5
    mean = torch.randn(n, n_targets, generator=generator)
    return Prediction(mean, std), mean + torch.randn(n, n_targets, generator=generator)


@given(st.integers(1, 60), st.sampled_from([0.1, 0.5, 0.68, 0.8, 0.9, 0.95, 0.99]))
def test_q_is_the_kth_smallest_score(n: int, level: float) -> None:
    prediction, y = scored(n)
    scores = ((y - prediction.mean).double().abs() / prediction.std.double()).flatten().sort().values
    k = ceil((n + 1) * level - 1e-9)
    expected = float(scores[k - 1]) if k <= n else float("inf")
    lower, upper = Conformal.of(prediction, y).interval(Prediction(torch.zeros(1, 1), torch.ones(1, 1)), level)
    assert float(upper) == pytest.approx(expected)
    assert float(lower) == pytest.approx(-expected)


def test_an_interval_is_infinite_also_where_std_is_zero() -> None:
    lower, upper = Conformal.of(*scored(5)).interval(Prediction(torch.zeros(1, 1), torch.zeros(1, 1)), 0.9)
    assert float(lower) == -float("inf")
    assert float(upper) == float("inf")


def test_a_std_of_zero_that_missed_counts_as_infinitely_far_off() -> None:
    prediction, y = scored(19)
    prediction.std[0] = 0
    calibration = Conformal.of(prediction, y)
    assert torch.stack(calibration.interval(prediction, 0.9)).isfinite().all()
    assert torch.stack(calibration.interval(prediction, 0.95)).isinf().all()


def test_too_few_scores_for_a_std_are_told() -> None:
    prediction, y = scored(2)
    with pytest.raises(ValueError, match="at least 3 finite scores"):
        Conformal.of(prediction, y).apply(prediction)


def test_the_median_is_the_mean_and_quantiles_are_symmetric() -> None:
    prediction, y = scored(50, 2)
    low, middle, high = Conformal.of(prediction, y).quantiles(prediction, [0.1, 0.5, 0.9])
    assert torch.equal(middle, prediction.mean)
    torch.testing.assert_close(high - middle, middle - low)
