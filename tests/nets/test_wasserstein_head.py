import pytest
import torch
from building import built
from torch import nn

from wdrop import WassersteinHead, sample
from wdrop._random import generator_for
from wdrop.nets.wasserstein_head import WassersteinConv2d


def test_moments_are_those_of_many_draws_behind_any_backbone() -> None:
    body = built(lambda: nn.Sequential(nn.Linear(3, 30), nn.Tanh(), nn.Linear(30, 40), nn.ReLU()))
    head = built(lambda: WassersteinHead(40, 2, p=0.3))
    x = torch.randn(6, 3, generator=generator_for("x"))
    mean, std = head(body(x))
    drawn = sample(nn.Sequential(body, nn.Dropout(0.3), head.linear), x, 20_000, generator=generator_for("g"))
    torch.testing.assert_close(std, drawn.std(0), rtol=0.02, atol=0)
    assert ((mean - drawn.mean(0)).abs() < 5 * std / 20_000**0.5).all()


def test_a_convolution_likewise() -> None:
    head = built(lambda: WassersteinConv2d(4, 3, 3, p=0.2, stride=2, padding=1))
    x = torch.randn(2, 4, 7, 9, generator=generator_for("x"))
    mean, std = head(x)
    assert mean.shape == std.shape == (2, 3, 4, 5)
    drawn = sample(nn.Sequential(nn.Dropout(0.2), head.conv), x, 20_000, generator=generator_for("g"))
    torch.testing.assert_close(std, drawn.std(0), rtol=0.03, atol=0)


@pytest.mark.parametrize("p", [0.0, 0.5])
def test_gradients_are_finite_where_units_are_dead(p: float) -> None:
    head = built(lambda: WassersteinHead(5, 1, p=p))
    x = torch.zeros(3, 5, requires_grad=True)
    mean, std = head(x)
    (mean + std).sum().backward()
    assert not std.any()
    assert x.grad is not None
    assert x.grad.isfinite().all()
    assert all(q.grad is not None and q.grad.isfinite().all() for q in head.parameters())


def test_rates_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected p in \[0, 1\), got 1"):
        built(lambda: WassersteinHead(5, 1, p=1))
    assert "p=0.25" in repr(built(lambda: WassersteinHead(5, 1, p=0.25)))
