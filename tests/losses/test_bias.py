import pytest
import torch

from wdrop import wasserstein_dropout_loss
from wdrop._random import generator_for
from wdrop.losses.bias import NOISES, closed_form_optimum, sampled_optimum
from wdrop.losses.optimum import optimal_std

# as docs/one-pass.md prints them: closed form, five draws, ten draws; mean and std
KNOWN = {
    "normal": (0.000, 1.000, 0.000, 0.703, 0.000, 1.048),
    "uniform": (0.000, 0.990, 0.000, 0.706, 0.000, 1.027),
    "laplace": (0.000, 1.000, 0.000, 0.690, 0.000, 1.062),
    "t5": (0.000, 0.986, 0.000, 0.684, 0.000, 1.044),
    "exponential": (0.071, 0.962, 0.047, 0.663, 0.059, 1.019),
}


@pytest.mark.parametrize("noise", NOISES)
def test_the_optima_are_those_of_the_docs(noise: str) -> None:
    found = (*closed_form_optimum(noise), *sampled_optimum(noise, 5), *sampled_optimum(noise, 10))
    assert found == pytest.approx(KNOWN[noise], abs=1.5e-3)


def test_for_normal_noise_it_is_the_known_optimum() -> None:
    assert sampled_optimum("normal", 9).std == pytest.approx(optimal_std(9), abs=1e-3)


def test_the_mean_really_is_pulled_by_skewed_noise() -> None:
    """The paper's loss itself, on draws: lower at the optimum that was computed than at mean 0."""
    generator = generator_for("bias")
    z = torch.randn(10, 200_000, 1, generator=generator, dtype=torch.float64)
    y = torch.empty(200_000, 1, dtype=torch.float64).exponential_(generator=generator) - 1
    mean, std = sampled_optimum("exponential", 10)
    at_optimum = wasserstein_dropout_loss(mean + std * z, y).mean()
    for other in (0.0, 2 * mean):
        assert wasserstein_dropout_loss(other + std * z, y).mean() > at_optimum + 1e-3


def test_unknown_noise_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown noise 'laplase', did you mean 'laplace'"):
        closed_form_optimum("laplase")
