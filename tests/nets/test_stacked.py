# mypy: disable-error-code="operator, arg-type"
# torch types the attributes of modules as Tensor | Module

import pytest
import torch

from wdrop._random import generator_for
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack


def a_stack(net: MLP, n_networks: int = 3, n_targets: int = 2) -> Stack:
    generators = [generator_for("stack", k) for k in range(n_networks)]
    return Stack.initial(net, 4, n_targets, generators=generators, dtype=torch.float64)


def masks(n_networks: int = 3) -> MaskStreams:
    return MaskStreams([generator_for("masks", k) for k in range(n_networks)])


def test_initial_weights_lie_in_pytorchs_default_range() -> None:
    stack = a_stack(MLP(width=200))
    for weight, bias in zip(stack.weights, stack.biases, strict=True):
        bound = weight.shape[1] ** -0.5
        for parameter in (weight, bias):
            assert parameter.abs().max() <= bound
        assert float(weight.detach().std()) == pytest.approx(bound / 3**0.5, rel=0.1)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_without_dropout_the_stack_is_its_networks(depth: int) -> None:
    stack = a_stack(MLP(width=7, depth=depth, dropout=0))
    x = torch.randn(3, 5, 4, generator=generator_for("x"), dtype=torch.float64)
    out = stack.draw(x, 2, masks())
    assert out.shape == (2, 3, 5, 2)
    for k in range(3):
        torch.testing.assert_close(out[0, k], stack.network(k)(x[k]))
        torch.testing.assert_close(out[1, k], out[0, k])


@pytest.mark.parametrize("net", [MLP(width=9), MLP(width=9, depth=3), MLP(width=9, last_layer_only=True)])
def test_draws_and_their_gradients_are_those_of_the_plain_formula(net: MLP) -> None:
    """relu, mask, scale by 1/(1-p), layer by layer, with masks from equal streams and autograd's own gradient."""
    stack, n_draws = a_stack(net), 4
    x = torch.randn(3, 6, 4, generator=generator_for("x"), dtype=torch.float64)
    out = stack.draw(x, n_draws, masks())
    out.square().sum().backward()
    gradients = [p.grad.clone() for p in stack.parameters() if p.grad is not None]
    stack.zero_grad()

    streams, h = masks(), x.unsqueeze(1).expand(-1, n_draws, -1, -1)
    for weight, bias, p in zip(stack.weights, stack.biases, (*net.rates, None), strict=True):
        h = h @ weight.unsqueeze(1) + bias.unsqueeze(1)
        if p is not None:
            h = h.relu()
            if p > 0:
                h = h * streams.keep((n_draws, 6, 9), p, torch.float64) / (1 - p)
    torch.testing.assert_close(out, h.transpose(0, 1))
    h.square().sum().backward()
    for mine, plain in zip(gradients, stack.parameters(), strict=True):
        torch.testing.assert_close(mine, plain.grad)


def test_a_mask_is_drawn_for_each_row_and_draw() -> None:
    stack = a_stack(MLP(width=50))
    x = torch.ones(3, 6, 4, dtype=torch.float64)
    out = stack.draw(x, 4, masks())[..., 0]
    assert out.unique().numel() == out.numel()


def test_a_network_taken_out_is_a_plain_module_of_its_own() -> None:
    net = a_stack(MLP(width=7, last_layer_only=True)).network(1)
    names = [type(module).__name__ for module in net]
    assert names == ["Linear", "ReLU", "Linear", "ReLU", "Dropout", "Linear"]
    assert not net.training
    assert net[0].weight.untyped_storage().nbytes() == 7 * 4 * 8  # not the storage of the whole stack


def test_take_and_put_copy_rows() -> None:
    stack = a_stack(MLP(width=7))
    part = stack.take([2, 0])
    assert torch.equal(part.weights[0][0], stack.weights[0][2])
    before = stack.weights[0].detach().clone()
    with torch.no_grad():
        part.weights[0].zero_()
    assert torch.equal(stack.weights[0], before)
    stack.put([2, 0], part)
    assert stack.weights[0].detach().abs().sum((1, 2)).tolist() == [0, float(before[1].abs().sum()), 0]


@pytest.mark.parametrize("settings", [{"width": 0}, {"depth": 0}, {"dropout": 1.0}, {"dropout": -0.1}])
def test_impossible_networks_are_refused_by_name(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"expected {next(iter(settings))}"):
        MLP(**settings)
