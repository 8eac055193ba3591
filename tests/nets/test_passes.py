import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.nets.adam import Adam
from wdrop.nets.masks import MaskStreams
from wdrop.nets.products import products
from wdrop.nets.stacked import MLP, Stack


def masks() -> MaskStreams:
    return MaskStreams([generator_for("masks", k) for k in range(2)])


@pytest.mark.parametrize("net", [MLP(width=6, depth=3, dropout=0.3), MLP(width=6, depth=3, last_layer_only=True)])
def test_the_way_by_hand_is_that_of_autograd(net: MLP) -> None:
    generators = [generator_for("stack", k) for k in range(2)]
    stack = Stack.initial(net, 3, 2, generators=generators, dtype=torch.float64)
    x = torch.randn(2, 5, 3, generator=generator_for("x"), dtype=torch.float64)
    by_hand = stack.draw(x, 4, masks())
    pull = torch.randn(by_hand.shape, generator=generator_for("pull"), dtype=torch.float64)
    by_hand.backward(pull)
    found = [parameter.grad for parameter in stack.parameters()]
    stack.zero_grad()
    stack.fixed_rates = None  # its layers, one by one
    by_layers = stack.draw(x, 4, masks())
    by_layers.backward(pull)
    torch.testing.assert_close(by_hand, by_layers)
    for ours, parameter in zip(found, stack.parameters(), strict=True):
        torch.testing.assert_close(ours, parameter.grad)


def test_descending_by_hand_sets_the_gradients_that_autograd_finds() -> None:
    generators = [generator_for("stack", k) for k in range(2)]
    by_hand, by_autograd = (
        Stack.initial(MLP(width=6), 3, 1, generators=generators, dtype=torch.float64) for _ in range(2)
    )
    by_autograd.load_state_dict(by_hand.state_dict())
    x = torch.randn(2, 5, 3, generator=generator_for("x"), dtype=torch.float64)
    by_hand.descend(x, 4, masks(), lambda samples: samples.cos())
    by_autograd.draw(x, 4, masks()).sin().sum().backward()
    for ours, theirs in zip(by_hand.parameters(), by_autograd.parameters(), strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad)


@pytest.mark.parametrize("shape", [(3, 5, 4, 1), (3, 5, 4, 2), (3, 5, 4, 20), (3, 5, 1, 6), (1, 5, 4, 2)])
def test_products_of_every_shape(shape: tuple[int, int, int, int]) -> None:
    n_networks, n, m, d = shape
    a, b = (numbers(n_networks, *sides) for sides in ((n, m), (m, d)))
    torch.testing.assert_close(products(a, b), a @ b)


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=generator_for(*shape), dtype=torch.float64)


def test_adam_minds_how_a_gradient_lies_in_memory() -> None:
    start = numbers(2, 3, 4)
    ours, theirs = (start.clone().requires_grad_() for _ in range(2))
    optimizer, yardstick = Adam([ours], 0.1, 0.01), torch.optim.Adam([theirs], 0.1, weight_decay=0.01)
    for step in range(3):
        theirs.grad = numbers(2, 4, 3 + step)[..., :3].mT.contiguous()
        ours.grad = theirs.grad.mT.contiguous().mT
        optimizer.step()
        yardstick.step()
    torch.testing.assert_close(ours, theirs)


def test_words_drawn_ahead_are_those_drawn_one_by_one() -> None:
    together = MaskStreams([generator_for("a"), generator_for("b")])
    first, second = together.keep((3, 7), 0.4, torch.float32), together.keep((2, 5), 0.4, torch.float32)
    for k, name in enumerate("ab"):
        alone = MaskStreams([generator_for(name)])
        assert torch.equal(alone.keep((3, 7), 0.4, torch.float32)[0], first[k])
        assert torch.equal(alone.keep((2, 5), 0.4, torch.float32)[0], second[k])
