import pytest
import torch

from wdrop.nets.heads import evidential_head, gaussian_head, published_gaussian_head


def test_outputs_come_in_blocks_all_means_first() -> None:
    raw = torch.tensor([[1.0, 2.0, 0.0, 0.0]])
    mean, variance = gaussian_head(raw)
    assert mean.tolist() == [[1, 2]]
    assert variance.flatten().tolist() == pytest.approx([0.6931 + 1e-6] * 2, abs=1e-4)


def test_the_published_std_is_softplus_squared_without_a_floor() -> None:
    raw = torch.tensor([[0.0, 0.0], [0.0, -60.0]])
    _, std = published_gaussian_head(raw)
    assert std.flatten().tolist() == pytest.approx([0.6931**2, 0], abs=1e-4)
    assert float(std[1]) < 1e-40
    _, variance = gaussian_head(raw)
    assert float(variance[1]) == pytest.approx(1e-6)


def test_the_prior_is_proper_whatever_the_network_says() -> None:
    prior = evidential_head(torch.full((1, 4), -200.0))
    assert prior.nu > 0
    assert prior.alpha > 1
    assert prior.beta > 0
    assert prior.aleatoric_variance.isfinite()
