import pytest
import torch

from wdrop._random import generator_for
from wdrop.moments.closed_form import closed_form_moments, stacked_closed_form_moments
from wdrop.moments.stacks import descend
from wdrop.nets.concrete import StackedConcreteDropout
from wdrop.nets.stacked import MLP, Stack


def stack_of(net: MLP, n_outputs: int) -> Stack:
    generators = [generator_for("stack", k) for k in range(3)]
    return Stack.initial(net, 4, n_outputs, generators=generators, dtype=torch.float64)


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("last_layer_only", [False, True])
def test_a_stack_and_its_networks_agree_on_moments_and_gradients(
    depth: int, n_outputs: int, last_layer_only: bool
) -> None:
    stack = stack_of(MLP(width=6, depth=depth, dropout=0.2, last_layer_only=last_layer_only), n_outputs)
    x = torch.randn(3, 7, 4, generator=generator_for("x"), dtype=torch.float64)
    pulls = torch.randn(2, 3, 7, n_outputs, generator=generator_for("g"), dtype=torch.float64)
    torch.autograd.backward(tuple(stacked_closed_form_moments(stack, x)), tuple(pulls))
    for k in range(3):
        alone = stack.network(k)
        moments = closed_form_moments(alone, x[k])
        torch.autograd.backward(tuple(moments), tuple(pulls[:, k]))
        for ours, theirs in zip(stacked_closed_form_moments(stack, x), moments, strict=True):
            torch.testing.assert_close(ours[k], theirs)
        linears = [module for module in alone if isinstance(module, torch.nn.Linear)]
        for linear, weight, bias in zip(linears, stack.weights, stack.biases, strict=True):
            assert weight.grad is not None
            assert bias.grad is not None
            assert linear.weight.grad is not None
            torch.testing.assert_close(weight.grad[k].T, linear.weight.grad)
            torch.testing.assert_close(bias.grad[k, 0], linear.bias.grad)


def test_gradients_are_finite_where_all_units_are_dead() -> None:
    stack = stack_of(MLP(width=5, depth=3, dropout=0.2), 1)
    with torch.no_grad():
        for bias in stack.biases:
            bias.fill_(-100.0)
    mean, std = stacked_closed_form_moments(stack, torch.ones(3, 2, 4, dtype=torch.float64))
    (mean.sum() + std.sum()).backward()
    assert all(parameter.grad is not None and parameter.grad.isfinite().all() for parameter in stack.parameters())


def test_a_second_way_back_is_refused_not_wrong() -> None:
    mean, std = stacked_closed_form_moments(stack_of(MLP(width=5), 1), torch.ones(3, 2, 4, dtype=torch.float64))
    loss = mean.sum() + std.sum()
    loss.backward(retain_graph=True)
    with pytest.raises(AttributeError, match="way"):
        loss.backward()


def test_learned_rates_have_no_moments_in_closed_form() -> None:
    stack = Stack.initial(
        MLP(width=5), 4, 1, generators=[generator_for("k")], dtype=torch.float64, make_dropout=StackedConcreteDropout
    )
    with pytest.raises(ValueError, match="fixed"):
        stacked_closed_form_moments(stack, torch.ones(1, 2, 4, dtype=torch.float64))


def test_descending_by_hand_sets_the_gradients_that_autograd_finds() -> None:
    x = torch.randn(3, 7, 4, generator=generator_for("x"), dtype=torch.float64)
    by_hand, by_autograd = (stack_of(MLP(width=6, depth=3, dropout=0.2), 2) for _ in range(2))
    descend(by_hand, x, lambda mean, std: (2 * mean, std.cos()))
    mean, std = stacked_closed_form_moments(by_autograd, x)
    (mean.square() + std.sin()).sum().backward()
    for ours, theirs in zip(by_hand.parameters(), by_autograd.parameters(), strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad)
