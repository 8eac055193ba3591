import pytest
import torch

from wdrop._random import generator_for
from wdrop.calibration import Scale
from wdrop.measures import nll
from wdrop.prediction import Prediction


def test_no_factor_is_more_likely_on_the_residuals() -> None:
    generator = generator_for("scale")
    std = torch.rand(100, 1, generator=generator) + 0.1
    prediction, y = Prediction(torch.zeros(100, 1), std), torch.randn(100, 1, generator=generator)
    scale = float(Scale.of(prediction, y).scale)
    best = nll(prediction.mean, scale * std, y)
    assert best < min(nll(prediction.mean, factor * scale * std, y) for factor in (0.9, 0.99, 1.01, 1.1))


def test_integer_weights_are_repeated_points() -> None:
    mean, std = torch.zeros(3, 1), torch.ones(3, 1)
    y = torch.tensor([[1.0], [2.0], [4.0]])
    weight = torch.tensor([[2.0], [1.0], [3.0]])
    rows = torch.tensor([0, 0, 1, 2, 2, 2])
    one, other = Scale.of(Prediction(mean, std), y, weight), Scale.of(Prediction(mean[rows], std[rows]), y[rows])
    torch.testing.assert_close(one.scale, other.scale)
    torch.testing.assert_close(one.scale, torch.tensor([(54 / 6) ** 0.5], dtype=torch.float64))


def test_a_std_of_zero_has_no_say() -> None:
    std = torch.tensor([[1.0], [1.0], [0.0]])
    scale = Scale.of(Prediction(torch.zeros(3, 1), std), torch.tensor([[2.0], [-2.0], [1.0]])).scale
    torch.testing.assert_close(scale, torch.tensor([2.0], dtype=torch.float64))


def test_a_dead_network_is_told() -> None:
    with pytest.raises(ValueError, match="has the network died"):
        Scale.of(Prediction(torch.zeros(3, 1), torch.zeros(3, 1)), torch.ones(3, 1))
