import torch

from wdrop._random import generator_for
from wdrop.calibration import AddedNoise, RobustAddedNoise
from wdrop.prediction import Prediction


def test_wild_residuals_do_not_rule_how_large_std_is() -> None:
    generator = generator_for("wild")
    std = 10 ** torch.rand(2000, 1, generator=generator)
    y = torch.hypot(2 * std, torch.tensor(3.0)) * torch.randn(2000, 1, generator=generator)
    true = torch.hypot(2 * std, torch.tensor(3.0))
    y[::50] *= 20
    prediction = Prediction(torch.zeros(2000, 1), std)
    robust, plain = (kind.of(prediction, y).apply(prediction).std / true for kind in (RobustAddedNoise, AddedNoise))
    assert float(plain.mean()) > 2
    assert 0.9 < float(robust.mean()) < 1.25


def test_on_gaussian_residuals_it_is_the_likeliest() -> None:
    generator = generator_for("tame")
    std = 10 ** torch.rand(3000, 1, generator=generator)
    y = torch.hypot(0.5 * std, torch.tensor(2.0)) * torch.randn(3000, 1, generator=generator)
    prediction = Prediction(torch.zeros(3000, 1), std)
    robust, plain = (kind.of(prediction, y).apply(prediction).std for kind in (RobustAddedNoise, AddedNoise))
    torch.testing.assert_close(robust, plain, rtol=0.05, atol=0)
