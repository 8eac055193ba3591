import math

import pytest
import torch

from wdrop._random import generator_for
from wdrop.data import TOYS, noisy_line, toy_hf, toy_noise, toy_noise_std


def test_toy_noise_is_loud_in_the_middle_and_silent_at_the_edges() -> None:
    points = toy_noise(generator=generator_for("noise"))
    assert points.x.shape == points.y.shape == (20_000, 1)
    assert (points.x.unique().numel(), float(points.x.min()), float(points.x.max())) == (2000, -15, 15)
    normalised = points.y / toy_noise_std(points.x)
    assert float(normalised.mean()) == pytest.approx(0, abs=0.03)
    assert float(normalised.std()) == pytest.approx(1, abs=0.02)
    assert float(toy_noise_std(torch.tensor(5.0))) == pytest.approx(math.exp(-0.5))


def test_toy_hf_is_its_formula_and_not_random() -> None:
    points = toy_hf(generator=generator_for("a"))
    assert torch.equal(points.y, toy_hf(generator=generator_for("b")).y)
    assert points.x.shape == (1000, 1)
    for i in (0, 333, 999):
        x = float(points.x[i])
        y = 0.25 * x**2 - 0.01 * x**3 + 40 * math.exp(-((x + 1) ** 2) / 200) * math.sin(3 * x)
        assert float(points.y[i]) == pytest.approx(y, abs=1e-3)
    assert (float(points.x[0]), float(points.x[-1])) == (-15, 20)


@pytest.mark.parametrize("std", [0, 0.1, 10])
def test_noisy_line_has_the_std_it_is_asked_for(std: float) -> None:
    points = noisy_line(generator=generator_for("line"), n=20_000, std=std)
    assert float(points.y.std()) == pytest.approx(std, rel=0.03)
    assert float(points.y.mean()) == pytest.approx(0, abs=0.03 * max(std, 1e-9))
    assert -1 <= float(points.x.min()) < -0.99 < 0.99 < float(points.x.max()) <= 1


def test_the_generator_decides_everything() -> None:
    for make in TOYS.values():
        first, again = (make(generator=generator_for("seed")).y for _ in range(2))
        assert torch.equal(first, again)


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="n of at least 1, got 0"):
        toy_hf(generator=generator_for("g"), n=0)
    with pytest.raises(ValueError, match="std of at least 0, got -1"):
        noisy_line(generator=generator_for("g"), std=-1)
