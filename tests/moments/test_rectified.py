import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import norm

from wdrop.moments.rectified import rectified


def double(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize(("m", "v"), [(0.3, 1.0), (-2.0, 0.5), (4.0, 0.01), (0.0, 2.0)])
@pytest.mark.parametrize("p", [0.0, 0.3])
def test_moments_agree_with_integration(m: float, v: float, p: float) -> None:
    std = v**0.5
    first = quad(lambda a: a * norm.pdf(a, m, std), 0, max(0, m) + 40 * std, points=[max(0, m)])[0]
    second = quad(lambda a: a * a * norm.pdf(a, m, std), 0, max(0, m) + 40 * std, points=[max(0, m)])[0]
    gate = norm.cdf(m / std)
    mean, slope, injected = rectified(double(m), double(v), p / (1 - p))
    assert float(mean) == pytest.approx(first, abs=1e-9)
    assert float(slope) == pytest.approx(gate, abs=1e-9)
    assert float(injected) == pytest.approx(second / (1 - p) - first**2 - gate**2 * v, abs=1e-9)


def test_gradients_agree_with_finite_differences() -> None:
    m = double(0.3, -1.0, 2.0, 0.0, -4.0).requires_grad_()
    v = double(1.0, 0.3, 0.5, 2.0, 1.0).requires_grad_()
    assert torch.autograd.gradcheck(lambda m, v: rectified(m, v, 0.2), (m, v))


@pytest.mark.parametrize("m", [0.0, 1e-30, 3.0, -3.0, 1e6])
@pytest.mark.parametrize("v", [0.0, 1e-38, 1e-12, 1e6])
def test_everything_is_finite_at_the_edges(m: float, v: float) -> None:
    leaves = [torch.tensor([value], requires_grad=True) for value in (m, v)]
    outputs = rectified(leaves[0], leaves[1], 0.1)
    assert (outputs[2] >= 0).all()
    torch.stack(outputs).sum().backward()
    for tensor in (*outputs, *(leaf.grad for leaf in leaves)):
        assert tensor is not None
        assert tensor.isfinite().all()


def test_a_unit_without_variance_is_a_plain_relu() -> None:
    m = torch.tensor([-2.0, -1e-3, 1e-3, 5.0])
    mean, gate, injected = rectified(m, torch.zeros(4), 0.5)
    torch.testing.assert_close(mean, m.relu())
    assert torch.equal(gate, (m > 0).float())
    torch.testing.assert_close(injected, 0.5 * m.relu().square())
    assert np.all(injected.numpy() >= 0)
