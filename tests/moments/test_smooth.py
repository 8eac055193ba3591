from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from scipy.integrate import quad
from scipy.stats import norm
from torch import Tensor

from wdrop.moments.smooth import Derivatives, gelu, quadrature, silu, tanh

FUNCTIONS: dict[str, tuple[Derivatives, Callable[[Tensor], Tensor]]] = {
    "gelu": (gelu, F.gelu),
    "silu": (silu, F.silu),
    "tanh": (tanh, torch.tanh),
}
every_function = pytest.mark.parametrize("name", FUNCTIONS)


def expectation(function: Derivatives, which: int, power: int, m: float, std: float) -> float:
    def weighted(a: float) -> float:
        return float(function(torch.tensor(a, dtype=torch.float64))[which]) ** power * norm.pdf(a, m, std)

    return quad(weighted, m - 9 * std, m + 9 * std, limit=100)[0]


@every_function
@pytest.mark.parametrize(("std", "tolerance"), [(1.0, 1e-7), (3.0, 7e-4)])
def test_quadrature_agrees_with_integration(name: str, std: float, tolerance: float) -> None:
    function, _ = FUNCTIONS[name]
    m, v = (torch.tensor([value], dtype=torch.float64) for value in (0.7, std**2))
    mean, second, gate = (float(value) for value in quadrature(m, v, function))
    assert mean == pytest.approx(expectation(function, 0, 1, 0.7, std), abs=tolerance)
    assert second == pytest.approx(expectation(function, 0, 2, 0.7, std), abs=tolerance)
    assert gate == pytest.approx(expectation(function, 1, 1, 0.7, std), abs=tolerance)


@every_function
def test_derivatives_are_derivatives(name: str) -> None:
    function, plain = FUNCTIONS[name]
    a = torch.linspace(-4, 4, 33, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(function(a)[0], plain(a))
    for i in range(3):
        (slope,) = torch.autograd.grad(function(a)[i].sum(), a)
        torch.testing.assert_close(slope, function(a)[i + 1])


@every_function
def test_gradients_agree_with_finite_differences(name: str) -> None:
    m = torch.tensor([0.3, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
    v = torch.tensor([0.5, 0.2, 0.4], dtype=torch.float64, requires_grad=True)

    def moments(m: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return quadrature(m, v, FUNCTIONS[name][0])

    assert torch.autograd.gradcheck(moments, (m, v), atol=1e-4)


@every_function
def test_without_variance_it_is_the_function_and_gradients_are_finite(name: str) -> None:
    m = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    v = torch.zeros(3, requires_grad=True)
    mean, second, _ = quadrature(m, v, FUNCTIONS[name][0])
    torch.testing.assert_close(mean, FUNCTIONS[name][1](m))
    (mean + second).sum().backward()
    assert m.grad is not None
    assert v.grad is not None
    assert m.grad.isfinite().all()
    assert v.grad.isfinite().all()
