import pytest
import torch

from wdrop._random import generator_for
from wdrop.methods import MCDropout, MCDropoutLastLayer
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points


def test_the_added_variance_by_its_names() -> None:
    """2 N lambda / keep rate as Gal derives it, / drop rate as published: 9 times more at p = 0.1."""
    assert MCDropout().inverse_tau(9000) == pytest.approx(2 * 9000 * 1e-6 / 0.9)
    assert MCDropout(added_variance="published").inverse_tau(9000) == pytest.approx(2 * 9000 * 1e-6 / 0.1)
    assert MCDropout(as_published=True).inverse_tau(9000) == pytest.approx(0.18)
    assert MCDropout(added_variance="none").inverse_tau(9000) == 0


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown added variance 'Gal', did you mean 'gal'\?"):
        MCDropout(added_variance="Gal")  # type: ignore[arg-type]


def test_the_variances_add_up(tiny: Points) -> None:
    settings = {"net": MLP(width=16), "training": Training(epochs=2, batch_size=20, weight_decay=1e-3)}
    bare, full = (
        MCDropout(**settings, added_variance=form)  # type: ignore[arg-type]
        .fit(tiny, generator=generator_for("fit"))
        .predict(tiny.x, generator=generator_for("p"))
        for form in ("none", "published")
    )
    torch.testing.assert_close(full.std.square(), bare.std.square() + 2 * 60 * 1e-3 / 0.1)
    assert torch.equal(full.mean, bare.mean)


def test_last_layer_dropout_is_in_the_last_layer_only(tiny: Points) -> None:
    predictor = MCDropoutLastLayer(training=Training(epochs=1)).fit(tiny, generator=generator_for("fit"))
    names = [type(module).__name__ for module in predictor.net]  # type: ignore[attr-defined]
    assert names == ["Linear", "ReLU", "Linear", "ReLU", "Dropout", "Linear"]
    with pytest.raises(ValueError, match="last_layer_only=True, got False"):
        MCDropoutLastLayer(net=MLP())
