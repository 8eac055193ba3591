import pytest
import torch

from wdrop import evaluate
from wdrop._random import generator_for
from wdrop.data import noisy_line, toy_noise, toy_noise_std
from wdrop.methods import PU
from wdrop.methods.parametric import mean_and_variance
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training


def test_it_follows_noise_that_varies_with_x() -> None:
    train = toy_noise(generator=generator_for("noise"), n_x=500, n_draws=6)
    predictor = PU(net=MLP(width=32, dropout=0), training=Training(epochs=60)).fit(
        train, generator=generator_for("fit")
    )
    x = torch.tensor([[0.0], [8.0]])
    ratio = predictor.predict(x).std / toy_noise_std(x)
    assert ratio.flatten().tolist() == pytest.approx([1, 1], abs=0.25)


def test_the_floor_keeps_one_sure_point_from_ruling_the_likelihood() -> None:
    """Without noise, the published std vanishes; the same network with a floor has std of at least 1e-3."""
    raw = torch.tensor([[0.0, -30.0]])
    _, floored = mean_and_variance(raw, as_published=False)
    _, published = mean_and_variance(raw, as_published=True)
    assert float(floored.sqrt()) == pytest.approx(1e-3, rel=1e-3)
    assert float(published.sqrt()) < 1e-5
    y = torch.full((1, 1), 0.01)
    sane = evaluate(torch.zeros(1, 1), floored.sqrt(), y)["nll"]
    wild = evaluate(torch.zeros(1, 1), published.sqrt(), y)["nll"]
    assert sane < 50
    assert wild > 1e5


def test_both_forms_find_the_noise_of_a_line() -> None:
    train = noisy_line(generator=generator_for("line"), n=1000)
    for as_published in (False, True):
        method = PU(net=MLP(width=16, dropout=0), training=Training(epochs=40), as_published=as_published)
        std = method.fit(train, generator=generator_for("fit")).predict(train.x).std
        assert float(std.mean()) == pytest.approx(1, abs=0.1)
