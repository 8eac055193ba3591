from collections.abc import Callable

import pytest
import torch
from torch import nn

from wdrop.detect.training.optimiser import Optimisation


@pytest.fixture
def layer() -> Callable[[], nn.Linear]:
    def make() -> nn.Linear:
        layer = nn.Linear(2, 1, device="meta").to_empty(device="cpu")
        layer.weight.data = torch.tensor([[3.0, 4.0]])
        layer.bias.data = torch.tensor([2.0])
        return layer

    return make


def test_the_published_rates() -> None:
    rates = [Optimisation().rate(step, 300_000) for step in (0, 9_999, 10_000, 100_000)]
    assert rates == [0.01, 0.01, 0.005, 0.01 / 1024]


def test_adam_s_rate_falls_to_nothing() -> None:
    recipe = Optimisation(algorithm="adam", learning_rate=3e-4)
    assert [recipe.rate(step, 100) for step in (0, 50, 100)] == pytest.approx([3e-4, 1.5e-4, 0])


def test_each_gradient_is_clipped_by_itself_after_the_decay(layer: Callable[[], nn.Linear]) -> None:
    net, recipe = layer(), Optimisation(learning_rate=1.0, momentum=0.0, weight_decay=0.1)
    net.weight.grad, net.bias.grad = torch.tensor([[2.7, 3.6]]), torch.tensor([0.25])
    recipe.move(recipe.optimizer(net), 0, 10)
    # with the decay the kernel's gradient is (3, 4), of norm 5; the bias is neither decayed nor long enough to clip
    torch.testing.assert_close(net.weight.data, torch.tensor([[3 - 0.6, 4 - 0.8]]))
    torch.testing.assert_close(net.bias.data, torch.tensor([1.75]))


def test_momentum_adds_gradients_before_the_rate(layer: Callable[[], nn.Linear]) -> None:
    """As TensorFlow's: the rate of today moves the weights along what all days have gathered."""
    net, recipe = layer(), Optimisation(learning_rate=1.0, halve_every=1, weight_decay=0.0)
    optimizer = recipe.optimizer(net)
    for step in range(2):
        net.bias.grad = torch.tensor([0.5])
        recipe.move(optimizer, step, 10)
    torch.testing.assert_close(net.bias.data, torch.tensor([2 - 0.5 - 0.5 * (0.9 * 0.5 + 0.5)]))


def test_frozen_layers_are_left_alone(layer: Callable[[], nn.Linear]) -> None:
    net = layer()
    net.weight.requires_grad_(False)
    assert Optimisation().optimizer(net).param_groups[0]["params"] == [net.bias]


def test_unknown_algorithms_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown algorithm 'adamw', did you mean 'adam'"):
        Optimisation(algorithm="adamw")


@pytest.mark.parametrize("rate", [0.0, -0.1, float("nan"), float("inf")])
def test_a_rate_that_teaches_nothing_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match=r"expected a learning rate above 0, got"):
        Optimisation(learning_rate=rate)
