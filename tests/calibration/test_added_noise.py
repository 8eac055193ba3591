import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.calibration import AddedNoise, Scale
from wdrop.measures import nll
from wdrop.prediction import Prediction


def noisy(scale: float, noise: float, n: int = 3000) -> tuple[Prediction, Tensor]:
    """Residuals of that scale and that much noise, under a std that varies a hundredfold."""
    generator = generator_for("noisy", n)
    std = 10 ** (2 * torch.rand(n, 1, generator=generator) - 1)
    y = torch.hypot(scale * std, torch.tensor(noise)) * torch.randn(n, 1, generator=generator)
    return Prediction(torch.zeros(n, 1), std), y


@pytest.mark.parametrize(("scale", "noise"), [(2.0, 1.0), (0.5, 3.0), (3.0, 0.0)])
def test_scale_and_noise_are_found(scale: float, noise: float) -> None:
    found = AddedNoise.of(*noisy(scale, noise))
    assert float(found.scale) == pytest.approx(scale, rel=0.1)
    assert float(found.noise) == pytest.approx(noise, rel=0.1, abs=0.05)


def test_no_other_pair_is_more_likely() -> None:
    prediction, y = noisy(2.0, 1.0, 100)
    found = AddedNoise.of(prediction, y)

    def surprise(scale: Tensor, noise: Tensor) -> float:
        return nll(prediction.mean, AddedNoise(scale, noise).apply(prediction).std, y)

    best = surprise(found.scale, found.noise)
    for factor in (0.97, 1.03):
        assert surprise(factor * found.scale, found.noise) > best
        assert surprise(found.scale, factor * found.noise) > best
    mended = Scale.of(prediction, y).apply(prediction)
    assert nll(mended.mean, mended.std, y) > best


def test_a_std_that_says_nothing_gives_way_to_one_for_all() -> None:
    prediction, _ = noisy(1.0, 0.0)
    y = torch.randn(3000, 1, generator=generator_for("one for all"))
    std = AddedNoise.of(prediction, y).apply(prediction).std
    assert float(std.min()) == pytest.approx(1, abs=0.1)
    assert float(std.max()) < 1.5


def test_a_std_of_zero_is_mended_also_if_all_are() -> None:
    y = 2 * torch.randn(500, 1, generator=generator_for("dead"))
    for std in (torch.zeros(500, 1), torch.ones(500, 1).index_fill(0, torch.arange(50), 0.0)):
        prediction = Prediction(torch.zeros(500, 1), std)
        mended = AddedNoise.of(prediction, y).apply(prediction).std
        assert float(mended.min()) == pytest.approx(2, rel=0.25)  # from 50 points alone, where the others have a std
        assert mended.isfinite().all()


def test_equal_stds_are_scaled() -> None:
    y = 2 * torch.randn(500, 1, generator=generator_for("equal"))
    prediction = Prediction(torch.zeros(500, 1), torch.full((500, 1), 0.3))
    found = AddedNoise.of(prediction, y)
    assert float(found.noise) == 0
    torch.testing.assert_close(found.scale, Scale.of(prediction, y).scale)
