import math

import pytest
import torch

from wdrop._random import generator_for
from wdrop.methods import ConcreteDropoutMethod
from wdrop.methods.concrete_dropout import precision
from wdrop.nets.concrete import StackedConcreteDropout
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Training
from wdrop.prediction import Points


def a_stack(n_points: float) -> Stack:
    generators = [generator_for("stack", k) for k in range(2)]
    make = {"dtype": torch.float64, "make_dropout": StackedConcreteDropout}
    stack = Stack.initial(MLP(width=6), 3, 1, generators=generators, **make)  # type: ignore[arg-type]
    stack.n_points = torch.tensor([n_points, 10 * n_points], dtype=torch.float64)
    return stack


@pytest.mark.parametrize("as_published", [False, True])
def test_the_regulariser_is_its_formula(as_published: bool) -> None:
    """Dr is 2/(tau N) by default, as Gal has it, and 2/N as the paper's text has it."""
    stack = a_stack(1000)
    found = ConcreteDropoutMethod(as_published=as_published).regulariser(stack).detach()
    for k, (n, tau) in enumerate([(1000, 0.5), (10_000, 0.02)]):
        expected = 0.0
        for layer in (1, 2):
            size = float((stack.weights[layer][k].detach() ** 2).sum() + (stack.biases[layer][k].detach() ** 2).sum())
            entropy = 0.1 * math.log(0.1) + 0.9 * math.log(0.9)
            expected += 1e-6 / (tau * n) * size / 0.9 + (2 / n if as_published else 2 / (tau * n)) * 6 * entropy
        assert float(found[k]) == pytest.approx(expected)


def test_tau_falls_with_the_number_of_points() -> None:
    sizes = torch.tensor([500.0, 799, 800, 4999, 5000, 9999, 10_000, 99_999, 100_000])
    assert precision(sizes).tolist() == pytest.approx([2, 2, 0.5, 0.5, 0.05, 0.05, 0.02, 0.02, 0.001])


def test_the_learned_rates_are_facts_of_the_predictor(tiny: Points) -> None:
    method = ConcreteDropoutMethod(net=MLP(width=16), training=Training(epochs=30, batch_size=20))
    facts = method.fit(tiny, generator=generator_for("fit")).facts
    assert set(facts) == {"drop_rate_1", "drop_rate_2"}
    assert all(0 < rate < 1 and rate != pytest.approx(0.1, abs=1e-4) for rate in facts.values())


def test_a_smaller_rate_factor_pulls_the_rates_less_towards_one_half(tiny: Points) -> None:
    """Tau is 2 on sixty points, so the paper's 2/N pulls twice as hard as 2/(tau N)."""
    settings = {"net": MLP(width=16), "training": Training(epochs=150, batch_size=20)}
    ours, published = (
        ConcreteDropoutMethod(**settings, as_published=flag).fit(tiny, generator=generator_for("fit")).facts  # type: ignore[arg-type]
        for flag in (False, True)
    )
    assert published["drop_rate_2"] > ours["drop_rate_2"]


def test_dropout_before_the_last_layer_only_learns_one_rate(tiny: Points) -> None:
    method = ConcreteDropoutMethod(net=MLP(width=8, last_layer_only=True), training=Training(epochs=2, batch_size=20))
    assert set(method.fit(tiny, generator=generator_for("fit")).facts) == {"drop_rate_1"}
    with pytest.raises(ValueError, match=r"net.dropout above 0, got 0"):
        ConcreteDropoutMethod(net=MLP(dropout=0))
