import pytest
import torch
from scipy.stats import norm

from wdrop._random import generator_for
from wdrop.losses.gaussian import gaussian_nll, published_gaussian_nll

GENERATOR = generator_for("gaussian")
MEAN, Y = torch.randn(2, 20, 2, generator=GENERATOR, dtype=torch.float64)
STD = torch.rand(20, 2, generator=GENERATOR, dtype=torch.float64) + 0.1


def test_it_is_scipys_density() -> None:
    expected = torch.tensor(-norm.logpdf(Y, MEAN, STD))
    torch.testing.assert_close(gaussian_nll(MEAN, STD**2, Y), expected)


def test_the_published_form_drops_the_constant() -> None:
    offset = gaussian_nll(MEAN, STD**2, Y) - published_gaussian_nll(MEAN, STD, Y)
    assert offset.flatten().tolist() == pytest.approx([0.9189] * 40, abs=1e-4)


def test_the_published_form_lets_std_vanish_and_then_costs_ten_billion_squared_errors() -> None:
    zero, one = torch.zeros(1, 1), torch.ones(1, 1)
    assert float(published_gaussian_nll(zero, zero, one)) == pytest.approx(1e10, rel=1e-3)
    assert float(published_gaussian_nll(one, zero, one)) == pytest.approx(-11.5, abs=0.1)


def test_shapes_that_would_broadcast_are_refused() -> None:
    with pytest.raises(ValueError, match="expected equal shapes"):
        gaussian_nll(torch.zeros(3, 1), torch.ones(3, 1), torch.zeros(3))
