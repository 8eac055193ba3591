from itertools import product

import pytest
import torch
from building import built
from torch import Tensor, nn

from wdrop import predict
from wdrop._random import generator_for
from wdrop.losses.closed_form import closed_form_loss
from wdrop.moments import closed_form_moments, diagonal_moments
from wdrop.nets.concrete import ConcreteDropout

ACTIVATIONS: dict[str, type[nn.Module]] = {
    "relu": nn.ReLU, "leaky": nn.LeakyReLU, "gelu": nn.GELU, "silu": nn.SiLU, "tanh": nn.Tanh, "identity": nn.Identity,
}  # fmt: skip


def network(
    depth: int, width: int = 50, *, p: float = 0.1, activation: str = "relu", n_outputs: int = 2
) -> nn.Sequential:
    def build() -> nn.Sequential:
        modules: list[nn.Module] = []
        for n_in in [3, *[width] * (depth - 1)]:
            modules += [nn.Linear(n_in, width), ACTIVATIONS[activation](), nn.Dropout(p)]
        return nn.Sequential(*modules, nn.Linear(width, n_outputs))

    return built(build)


def rows(n: int = 40) -> Tensor:
    return torch.randn(n, 3, generator=generator_for("rows"))


def linear(net: nn.Sequential, i: int) -> nn.Linear:
    layer = net[i]
    assert isinstance(layer, nn.Linear)
    return layer


def all_sub_networks(h: Tensor, last: nn.Linear, p: float) -> tuple[Tensor, Tensor]:
    """Mean and std over every mask of the units h before the last layer."""
    masks = torch.tensor(list(product([0.0, 1.0], repeat=h.shape[1])), dtype=h.dtype)
    weight = ((1 - p) ** masks * p ** (1 - masks)).prod(1).view(-1, 1, 1)
    outputs = last(h * masks.unsqueeze(1) / (1 - p))
    mean = (weight * outputs).sum(0)
    return mean, (weight * (outputs - mean).square()).sum(0).sqrt()


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("p", [0.1, 0.5])
def test_dropout_before_the_last_layer_is_exact_at_any_depth(depth: int, p: float) -> None:
    net = network(depth, width=8, p=p).double()
    x = rows(5).double()
    last = str(len(net) - 2)
    mean, std = closed_form_moments(net, x, layers=[last])
    wanted_mean, wanted_std = all_sub_networks(net.eval()[:-2](x), linear(net, -1), p)
    torch.testing.assert_close(mean, wanted_mean)
    torch.testing.assert_close(std, wanted_std)


@pytest.mark.parametrize(("activation", "depth"), [("relu", 2), ("relu", 4), ("leaky", 3), ("gelu", 2), ("tanh", 3)])
def test_it_agrees_with_many_draws(activation: str, depth: int) -> None:
    net = network(depth, activation=activation)
    drawn = predict(net, rows(), n_samples=4000, generator=generator_for("draws"))
    closed = predict(net, rows(), "closed_form")
    off = (closed.std / drawn.std - 1).abs()
    assert float(off.median()) < 0.025
    assert float(off.quantile(0.95)) < 0.07
    assert float(((closed.mean - drawn.mean).abs() / drawn.std).max()) < 0.15


def test_the_diagonal_is_further_off() -> None:
    net = network(3)
    drawn = predict(net, rows(), n_samples=4000, generator=generator_for("draws")).std
    closed, diagonal = (
        float((std / drawn - 1).abs().median())
        for std in (predict(net, rows(), "closed_form").std, diagonal_moments(net, rows()).std)
    )
    assert diagonal > 2 * closed


@pytest.mark.parametrize("activation", ["relu", "leaky", "silu"])
def test_gradients_agree_with_finite_differences(activation: str) -> None:
    net = network(3, width=4, p=0.3, activation=activation).double()
    x = rows(3).double().requires_grad_()
    parameters = tuple(net.parameters())

    def moments(x: Tensor, *_: Tensor) -> tuple[Tensor, Tensor]:
        return closed_form_moments(net, x)

    assert torch.autograd.gradcheck(moments, (x, *parameters), atol=1e-5, fast_mode=True)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_gradients_are_finite_where_units_are_dead_or_weights_zero(activation: str) -> None:
    net = network(3, width=6, activation=activation)
    with torch.no_grad():
        linear(net, 0).weight.zero_()  # all inputs alike
        linear(net, 0).bias.fill_(-1)  # and every first unit dead
        linear(net, 3).bias.zero_()
        linear(net, 6).weight[:3] = 0
    x = rows(4)
    mean, std = closed_form_moments(net, x)
    closed_form_loss(mean, std, mean.detach()).sum().backward()
    for parameter in net.parameters():
        assert parameter.grad is not None
        assert parameter.grad.isfinite().all()


def test_rates_of_zero_between_others_are_fine() -> None:
    net = network(3)
    net[2] = nn.Dropout(0.0)
    one = predict(net, rows(), "closed_form").std
    torch.testing.assert_close(one, predict(net, rows(), "closed_form", layers=["5", "8"]).std)
    assert (one > 0).all()


def test_where_dropout_stands_does_not_matter_to_relu_and_batch_norm_counts_as_in_eval_mode() -> None:
    net = network(2)
    norm = nn.BatchNorm1d(50)
    with torch.no_grad():
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.fill_(0.2)
        norm.running_var.fill_(0.5)
    before = nn.Sequential(net[0], nn.Sequential(nn.Dropout(0.1), nn.ReLU()), net[3], norm, nn.ReLU(), net[5], net[6])
    folded = nn.Linear(50, 50, device="meta")
    scale = (0.5 + norm.eps) ** -0.5
    folded.weight = nn.Parameter(linear(net, 3).weight.detach() * scale)
    folded.bias = nn.Parameter((linear(net, 3).bias.detach() - 0.2) * scale)
    behind = nn.Sequential(net[0], nn.ReLU(), nn.Dropout(0.1), folded, nn.ReLU(), net[5], net[6])
    torch.testing.assert_close(
        predict(before.train(), rows(), "closed_form").std, predict(behind, rows(), "closed_form").std
    )
    assert before.training


def test_dropout_of_the_input_and_behind_the_last_layer() -> None:
    net = built(lambda: nn.Sequential(nn.Dropout(0.2), nn.Linear(3, 2), nn.Dropout(0.3))).double()
    drawn = predict(net, rows(3).double(), n_samples=40_000, generator=generator_for("draws"))
    closed = predict(net, rows(3).double(), "closed_form")
    torch.testing.assert_close(closed.std, drawn.std, rtol=0.03, atol=0)  # a linear network is exact
    torch.testing.assert_close(closed.mean, drawn.mean, rtol=0, atol=0.02)


def test_chunks_and_the_global_stream_do_not_matter() -> None:
    net = network(2)
    whole, parts = (predict(net, rows(), "closed_form", chunk_size=size) for size in (None, 7))
    torch.testing.assert_close(whole.std, parts.std)
    assert not whole.std.requires_grad


class Twice(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return 2 * x


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ([nn.Dropout(0.1), Twice()], "Twice '1' has no moments in closed form; known are Linear"),
        ([nn.Dropout(0.1), nn.Sequential(nn.Softplus())], r"Softplus '1\.0' has no moments"),
        ([ConcreteDropout(0.1)], "ConcreteDropout '0' has no moments"),
        ([nn.Dropout(0.1), nn.Tanh()], "Tanh '1' has no moments in closed form where it stands"),
        ([nn.ReLU(), nn.Dropout(0.1), nn.ReLU()], "ReLU '2' has no moments in closed form where it stands"),
        ([nn.Dropout(1.0)], r"Dropout '0' has a drop rate of 1\.0; expected one in \[0, 1\)"),
        ([nn.ReLU()], "Sequential has no dropout modules"),
    ],
)
def test_what_it_cannot_handle_is_named(modules: list[nn.Module], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        predict(nn.Sequential(*modules), torch.ones(2, 3), "closed_form")


def test_numbers_that_are_not_finite_are_named() -> None:
    net = network(2)
    with pytest.raises(ValueError, match="1 NaN or infinite of 6 in x"):
        predict(net, torch.tensor([[1.0, 2, 3], [4, 5, float("inf")]]), "closed_form")
    with torch.no_grad():
        linear(net, 0).weight.fill_(1e30)
        with pytest.raises(ValueError, match="moments of Sequential overflow"):
            predict(net, rows(), "closed_form")
        linear(net, 3).bias[7] = float("nan")
    with pytest.raises(ValueError, match="1 NaN or infinite of 50 in bias of Linear '3'"):
        predict(net, rows(), "closed_form")


def test_an_input_of_another_shape_is_refused_unless_flattened_first() -> None:
    net = network(1, width=5)
    with pytest.raises(ValueError, match=r"expected x \(n, f\), got \(2, 1, 3\)"):
        predict(net, torch.ones(2, 1, 3), "closed_form")
    flat = nn.Sequential(nn.Flatten(), *net)
    torch.testing.assert_close(
        predict(flat, torch.ones(2, 1, 3), "closed_form").std, predict(net, torch.ones(2, 3), "closed_form").std
    )


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown way to predict 'closed', did you mean 'closed_form'"):
        predict(network(1), rows(), "closed")
