import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from wdrop import wasserstein_dropout_loss
from wdrop._random import generator_for


def by_the_definition(samples: Tensor, y: Tensor) -> Tensor:
    """The paper's equation (4), number by number, in float64."""
    _, n, d = samples.shape
    loss = torch.empty(n, d, dtype=torch.float64)
    for i in range(n):
        for j in range(d):
            draws = [float(v) for v in samples[:, i, j]]
            mean = math.fsum(draws) / len(draws)
            variance = math.fsum((v - mean) ** 2 for v in draws) / len(draws)
            bias = (mean - float(y[i, j])) ** 2
            loss[i, j] = bias + (math.sqrt(variance) - math.sqrt(bias + variance)) ** 2
    return loss


@given(s=st.integers(1, 12), n=st.integers(1, 5), d=st.integers(1, 3), scale=st.sampled_from([1e-3, 1.0, 1e3]))
def test_it_is_the_papers_equation(s: int, n: int, d: int, scale: float) -> None:
    generator = generator_for("loss", s, n, d)
    samples = scale * torch.randn(s, n, d, generator=generator, dtype=torch.float64)
    y = scale * torch.randn(n, d, generator=generator, dtype=torch.float64)
    torch.testing.assert_close(wasserstein_dropout_loss(samples, y), by_the_definition(samples, y), rtol=1e-10, atol=0)


def test_float32_keeps_its_precision_where_draws_nearly_agree() -> None:
    """E[f²] - E[f]² in float32 is negative in one case of ten here, and its root is NaN."""
    generator = generator_for("precision")
    samples = 5 + 1e-3 * torch.randn(5, 1000, 1, generator=generator)
    y = 5 + 1e-3 * torch.randn(1000, 1, generator=generator)
    exact = wasserstein_dropout_loss(samples.double(), y.double())
    torch.testing.assert_close(wasserstein_dropout_loss(samples, y).double(), exact, rtol=2e-2, atol=1e-9)


def test_gradients_agree_with_finite_differences() -> None:
    generator = generator_for("gradcheck")
    samples = torch.randn(4, 3, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    y = torch.randn(3, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(wasserstein_dropout_loss, (samples, y))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("bias", [0.0, 1e-30, 0.5, 1e6])
def test_draws_that_agree_give_twice_the_squared_error_and_a_finite_gradient(bias: float, dtype: torch.dtype) -> None:
    samples = torch.full((5, 1, 1), 2.0 + bias, dtype=dtype, requires_grad=True)
    y = torch.full((1, 1), 2.0, dtype=dtype)
    loss = wasserstein_dropout_loss(samples, y)
    loss.sum().backward()
    expected = 2 * (samples[0].detach() - y) ** 2
    torch.testing.assert_close(loss.detach(), expected)
    assert samples.grad is not None
    assert samples.grad.isfinite().all()


def test_it_falls_towards_the_squared_error_as_the_spread_grows() -> None:
    spread = torch.tensor([-1.0, 1.0]).view(2, 1, 1)
    losses = [float(wasserstein_dropout_loss(1 + s * spread, torch.zeros(1, 1))) for s in (0.0, 1.0, 10.0, 1000.0)]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == pytest.approx(2)
    assert losses[-1] == pytest.approx(1, abs=1e-3)


def test_expected_squared_error_is_squared_bias_plus_variance_of_the_sub_networks() -> None:
    """The paper's Eq. 1: why MC dropout, trained on squared error, shrinks the spread of its sub-networks."""
    generator = generator_for("eq1")
    samples = torch.randn(7, 20, 2, generator=generator, dtype=torch.float64)
    y = torch.randn(20, 2, generator=generator, dtype=torch.float64)
    expected_mse = (samples - y).square().mean(0)
    torch.testing.assert_close(expected_mse, (samples.mean(0) - y).square() + samples.var(0, correction=0))


def test_the_optimal_std_depends_on_the_number_of_draws() -> None:
    """0.70 of the true std with 5 draws, 0.99 with 9, 1.05 with 10: L is a scale, not an accuracy."""
    generator = generator_for("scale")
    n, scales = 40_000, torch.linspace(0.5, 1.4, 46)
    y = torch.randn(n, 1, generator=generator)
    for n_draws, expected in ((5, 0.70), (9, 0.99), (10, 1.05)):
        unit = torch.randn(n_draws, n, 1, generator=generator)
        losses = torch.stack([wasserstein_dropout_loss(scale * unit, y).mean() for scale in scales])
        assert float(scales[losses.argmin()]) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(("samples", "y"), [((5, 3, 1), (3,)), ((5, 3), (3, 1)), ((5, 3, 2), (3, 1)), ((3,), ())])
def test_shapes_that_would_broadcast_are_refused(samples: tuple[int, ...], y: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected samples \(s, n, d\) and y \(n, d\), got samples"):
        wasserstein_dropout_loss(torch.zeros(samples), torch.zeros(y))


def test_no_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one draw"):
        wasserstein_dropout_loss(torch.zeros(0, 3, 1), torch.zeros(3, 1))
