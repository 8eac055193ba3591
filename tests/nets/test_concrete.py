import pytest
import torch
from building import built
from torch import nn

from wdrop import draw, predict
from wdrop._random import generator_for
from wdrop.nets.concrete import ConcreteDropout, StackedConcreteDropout, relaxed_mask
from wdrop.nets.masks import MaskStreams


def test_the_relaxed_mask_drops_at_the_rate() -> None:
    keep = relaxed_mask(torch.tensor(0.3), torch.rand(200_000, generator=generator_for("u")))
    assert float(keep.mean()) == pytest.approx(0.7, abs=0.01)
    assert float(((keep > 0.01) & (keep < 0.99)).float().mean()) < 0.25  # nearly 0 or 1


def test_the_gradient_of_the_rate_agrees_with_finite_differences() -> None:
    u = torch.rand(50, generator=generator_for("u"), dtype=torch.float64)
    rate = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda p: relaxed_mask(p, u) / (1 - p), (rate,))

    stacked = StackedConcreteDropout(0.3, 2, torch.float64)
    a = torch.randn(2, 1, 4, 5, generator=generator_for("a"), dtype=torch.float64)

    def total(logits: torch.Tensor) -> torch.Tensor:
        stacked.logits.data = logits.detach()
        streams = MaskStreams([generator_for("m", k) for k in range(2)])
        out = torch.func.functional_call(stacked, {"logits": logits}, (a, 3, streams))
        return out.sum((1, 2, 3))

    logits = stacked.logits.detach().clone().requires_grad_()
    assert torch.autograd.gradcheck(total, (logits,))


def test_it_can_be_drawn_from_like_any_dropout_and_learns_its_rate() -> None:
    net = built(lambda: nn.Sequential(nn.Linear(3, 16), nn.ReLU(), ConcreteDropout(0.2), nn.Linear(16, 1)))
    x = torch.randn(40, 3, generator=generator_for("x"))
    draw(net, x, 4, generator=generator_for("d")).square().mean().backward()
    gradient = net[2].logit.grad
    assert isinstance(gradient, torch.Tensor)
    assert gradient != 0
    first, again = (predict(net, x, n_samples=30, generator=generator_for("p")) for _ in range(2))
    assert torch.equal(first.std, again.std)
    assert (first.std > 0).all()
    assert torch.equal(net.eval()(x), net(x))


def test_a_network_of_a_stack_takes_its_rate_along() -> None:
    stacked = StackedConcreteDropout(0.25, 3, torch.float32)
    _, module = stacked.modules_of(1)
    assert isinstance(module, ConcreteDropout)
    assert float(module.p.detach()) == pytest.approx(0.25)
    assert "p=0.250" in repr(module)
