import pytest
import torch

from wdrop._random import generator_for
from wdrop.losses import wasserstein_dropout_loss
from wdrop.losses.optimum import expected_loss, optimal_std

KNOWN = {2: 0.30, 3: 0.47, 4: 0.60, 5: 0.70, 7: 0.87, 9: 0.99, 10: 1.05, 12: 1.15, 15: 1.27, 20: 1.44, 50: 2.03}


@pytest.mark.parametrize("n_draws", KNOWN)
def test_the_optimum_grows_with_the_number_of_draws(n_draws: int) -> None:
    assert optimal_std(n_draws) == pytest.approx(KNOWN[n_draws], abs=0.006)


@pytest.mark.parametrize(("std", "n_draws"), [(0.5, 2), (1.0, 5), (2.0, 10)])
def test_the_expected_loss_is_the_mean_of_the_loss(std: float, n_draws: int) -> None:
    generator = generator_for("expected", n_draws)
    samples = std * torch.randn(n_draws, 400_000, 1, generator=generator)
    y = torch.randn(400_000, 1, generator=generator)
    assert float(wasserstein_dropout_loss(samples, y).mean()) == pytest.approx(expected_loss(std, n_draws), rel=0.01)


def test_one_draw_has_no_spread() -> None:
    with pytest.raises(ValueError, match="n_draws of at least 2, got 1"):
        optimal_std(1)
