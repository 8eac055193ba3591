import pytest
import torch

from wdrop._random import generator_for
from wdrop.calibration import Conformal, QuantileScale
from wdrop.prediction import Prediction


def gaussian(n: int = 2000) -> tuple[Prediction, torch.Tensor]:
    y = 2 * torch.randn(n, 1, generator=generator_for("quantile"))
    return Prediction(torch.zeros(n, 1), torch.ones(n, 1)), y


def test_68_percent_of_the_residuals_then_lie_within_one_std() -> None:
    prediction, y = gaussian(20_000)
    better = QuantileScale.of(prediction, y).apply(prediction)
    assert float((y.abs() <= better.std).double().mean()) == pytest.approx(0.6827, abs=0.001)
    assert float(better.std[0]) == pytest.approx(2, rel=0.05)


def test_its_std_is_that_of_conformal() -> None:
    prediction, y = gaussian(50)
    ours, theirs = (kind.of(prediction, y).apply(prediction).std for kind in (QuantileScale, Conformal))
    torch.testing.assert_close(ours, theirs)


def test_three_in_ten_may_be_anything() -> None:
    prediction, y = gaussian()
    wild = y.clone()
    wild[y.abs() > 2.1] = 1e9
    torch.testing.assert_close(QuantileScale.of(prediction, wild).scale, QuantileScale.of(prediction, y).scale)


def test_where_nearly_all_residuals_are_zero_std_is_left_alone() -> None:
    prediction, y = gaussian(20)
    y[3:] = 0
    assert float(QuantileScale.of(prediction, y).scale) == 1
