from typing import Any

import numpy as np
import pytest
import torch
from scipy import stats
from scipy.optimize import minimize

from wdrop import closed_form_loss
from wdrop._random import generator_for
from wdrop.losses.closed_form import brake
from wdrop.losses.optimum import optimal_std

U = (np.arange(20_000) + 0.5) / 20_000  # quantiles stand for draws, without their noise
Z = torch.tensor(stats.norm.ppf(U)).unsqueeze(1)


def optimum(noise: torch.Tensor, **options: int) -> tuple[float, float]:
    """Mean and std at which the expected loss is smallest."""

    def loss(at: Any) -> float:
        mean, std = (torch.full_like(noise, float(value)) for value in at)
        return float(closed_form_loss(mean, std, noise, **options).mean())

    scale = float(noise.std())
    found = minimize(loss, (0.0, scale), method="Nelder-Mead", options={"xatol": 1e-4 * scale, "fatol": 1e-12})
    return float(found.x[0]), abs(float(found.x[1]))


def test_the_brake_is_computed_and_known() -> None:
    assert brake() == pytest.approx(0.14417077, abs=1e-8)
    assert brake(0.7) > brake(1.0) > brake(1.4)  # a weaker brake, a larger std


@pytest.mark.parametrize("sigma", [0.01, 1.0, 50.0])
def test_the_optimum_is_the_true_std_in_every_unit(sigma: float) -> None:
    mean, std = optimum(sigma * Z)
    assert std == pytest.approx(sigma, rel=0.005)
    assert mean == pytest.approx(0, abs=0.01 * sigma)


@pytest.mark.parametrize(
    ("name", "mean", "std"),
    [("uniform", 0, 0.990), ("laplace", 0, 1.000), ("t5", 0, 0.986), ("exponential", 0.071, 0.962)],
)
def test_the_bias_for_noise_that_is_not_gaussian(name: str, mean: float, std: float) -> None:
    """Of unit variance. Symmetric noise leaves the mean alone; skewed noise pulls it, by 0.07 std if exponential."""
    laws = {"uniform": stats.uniform(), "laplace": stats.laplace(), "t5": stats.t(5), "exponential": stats.expon()}
    noise = (laws[name].ppf(U) - laws[name].mean()) / laws[name].std()
    found = optimum(torch.tensor(noise).unsqueeze(1))
    assert found == pytest.approx((mean, std), abs=2e-3)


@pytest.mark.parametrize("n_draws", [5, 9, 20])
def test_effective_l_has_the_optimum_of_so_many_draws(n_draws: int) -> None:
    _, std = optimum(Z, effective_L=n_draws)
    assert std == pytest.approx(optimal_std(n_draws), rel=0.006)


def test_without_a_brake_std_would_grow_for_ever() -> None:
    y, mean = torch.ones(1, 1, dtype=torch.float64), torch.zeros(1, 1, dtype=torch.float64)
    spread = torch.tensor([[1.0], [10.0], [100.0]], dtype=torch.float64)
    bare = [
        float(closed_form_loss(mean, s.view(1, 1), y) - brake() * s.square()) for s in spread
    ]  # the paper's loss with exact moments
    assert bare == sorted(bare, reverse=True)


@pytest.mark.parametrize(("error", "std"), [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1e-30, 1e-30)])
def test_gradients_are_finite_at_the_edges(error: float, std: float) -> None:
    mean, spread = (torch.full((1, 1), value, requires_grad=True) for value in (error, std))
    closed_form_loss(mean, spread, torch.zeros(1, 1)).sum().backward()
    for leaf in (mean, spread):
        assert leaf.grad is not None
        assert leaf.grad.isfinite().all()


def test_gradients_agree_with_finite_differences() -> None:
    generator = generator_for("gradcheck")
    mean, y = torch.randn(2, 5, 2, generator=generator, dtype=torch.float64)
    std = torch.rand(5, 2, generator=generator, dtype=torch.float64) + 0.1
    leaves = [tensor.clone().requires_grad_() for tensor in (mean, std, y)]
    assert torch.autograd.gradcheck(closed_form_loss, leaves)


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ValueError, match="expected equal shapes"):
        closed_form_loss(torch.zeros(3, 1), torch.ones(3, 1), torch.zeros(3))
    with pytest.raises(ValueError, match="scale above 0, got 0"):
        brake(0)
    with pytest.raises(ValueError, match="n_draws of at least 2, got 1"):
        closed_form_loss(torch.zeros(3, 1), torch.ones(3, 1), torch.zeros(3, 1), effective_L=1)
