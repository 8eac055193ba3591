import pytest
import torch
from building import built
from torch import Tensor, nn

from wdrop import predict
from wdrop._random import generator_for
from wdrop.moments import closed_form_moments
from wdrop.nets.concrete import ConcreteDropout


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(4, 32), nn.Linear(32, 2)
        self.inner = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 32), nn.Dropout(0.1))

    def forward(self, x: Tensor) -> Tensor:
        h = self.first(x)
        h = h + self.inner(h)
        return self.last(h + self.inner(h))  # the same dropout twice in one pass


class Transformer(nn.Module):
    """One pre-norm block over four tokens, then their mean."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(16, 16) for _ in range(3))
        self.norms = nn.ModuleList(nn.LayerNorm(16) for _ in range(2))
        self.after = nn.Dropout(0.1)
        self.feed = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, 16))
        self.last = nn.Linear(16, 1)

    def forward(self, x: Tensor) -> Tensor:
        h = self.norms[0](x)
        attention = nn.functional.scaled_dot_product_attention(self.query(h), self.key(h), self.value(h))
        x = x + self.after(attention)
        return self.last((x + self.feed(self.norms[1](x))).mean(1))


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Dropout2d(0.1), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.1), nn.Linear(54, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("build", "shape", "median"), [(cnn, (1, 8, 8), 0.08), (Residual, (4,), 0.08), (Transformer, (4, 16), 0.05)]
)
def test_it_agrees_with_ten_thousand_draws(build: type[nn.Module], shape: tuple[int, ...], median: float) -> None:
    net = built(build)
    x = torch.randn(8, *shape, generator=generator_for("x"))
    drawn = predict(net, x, n_samples=10_000, generator=generator_for("draws"))
    linear = predict(net, x, "linearised")
    off = (linear.std / drawn.std - 1).abs()
    assert float(off.median()) < median
    assert float(off.max()) < 4 * median
    assert linear.mean.shape == drawn.mean.shape


def test_it_is_exact_where_all_behind_the_dropout_is_linear() -> None:
    net = built(lambda: nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Dropout(0.3), nn.Linear(9, 2)))
    x = torch.randn(5, 3, generator=generator_for("x"))
    mean, std = closed_form_moments(net, x)
    linear = predict(net, x, "linearised", chunk_size=2)
    torch.testing.assert_close(linear.mean, mean)
    torch.testing.assert_close(linear.std, std)


def test_it_leaves_no_trace() -> None:
    net = built(cnn).train()
    x = torch.randn(4, 1, 8, 8, generator=generator_for("x"))
    before = {name: value.clone() for name, value in net.state_dict().items()}
    with torch.inference_mode():
        prediction = predict(net, x, "linearised")
    assert not prediction.mean.requires_grad
    assert not prediction.std.requires_grad
    assert all(parameter.grad is None for parameter in net.parameters())
    assert all(module.training for module in net.modules())
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())


def test_frozen_networks_and_chosen_layers() -> None:
    net = built(cnn).requires_grad_(False)
    x = torch.randn(4, 1, 8, 8, generator=generator_for("x"))
    parts = [predict(net, x, "linearised", layers=[name]).std.square() for name in ("3", "6", "9")]
    torch.testing.assert_close(predict(net, x, "linearised").std.square(), sum(parts))


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (ConcreteDropout(0.1), "ConcreteDropout '1' cannot be linearised"),
        (nn.Dropout(1.0), r"Dropout '1' has a drop rate of 1\.0"),
        (nn.ReLU(), "no dropout modules"),
        (nn.Sequential(nn.Dropout(0.1), nn.Flatten(0)), r"to return \(2, d\), got \(6,\)"),
    ],
)
def test_what_it_cannot_handle_is_named(module: nn.Module, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        predict(nn.Sequential(nn.Identity(), module), torch.ones(2, 3), "linearised")


def test_numbers_that_are_not_finite_are_named() -> None:
    net = built(Residual)
    with pytest.raises(ValueError, match="NaN or infinite of 4 in x"):
        predict(net, torch.full((1, 4), float("nan")), "linearised")
    with torch.no_grad():
        net.get_parameter("inner.3.weight")[0, 0] = float("inf")
    with pytest.raises(ValueError, match=r"1 NaN or infinite of 1024 in inner\.3\.weight"):
        predict(net, torch.ones(1, 4), "linearised")


@pytest.mark.parametrize("how", ["samples", "linearised"])
def test_a_network_that_returns_two_tensors_is_refused(how: str) -> None:
    class Pair(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.1)

        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            return self.drop(x), x

    with pytest.raises(TypeError, match=r"expected the network to return one tensor \(n, d\), got tuple"):
        predict(Pair(), torch.ones(3, 2), how, generator=generator_for("g"))
