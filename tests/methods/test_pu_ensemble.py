import pytest
import torch

from wdrop._random import generator_for
from wdrop.methods import DeepEnsemble, PUEnsemble
from wdrop.methods.deep_ensemble import EnsemblePredictor
from wdrop.methods.pu_ensemble import MixturePredictor, mixture
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points


def test_a_mixture_of_two_far_gaussians_is_as_wide_as_their_distance() -> None:
    """N(-5, 0.1) and N(5, 0.1): std 5.0. A peer returns 0.1, the mean of the two."""
    means = torch.tensor([[[-5.0]], [[5.0]]])
    prediction = mixture(means, torch.full_like(means, 0.01), correction=0)
    assert float(prediction.mean) == 0
    assert float(prediction.std) == pytest.approx(5.001, abs=1e-3)
    assert prediction.aleatoric is not None
    assert float(prediction.aleatoric) == pytest.approx(0.1)


def test_moments_are_those_of_many_draws_from_the_mixture() -> None:
    generator = generator_for("mixture")
    means, stds = torch.randn(5, 1, 1, generator=generator), torch.rand(5, 1, 1, generator=generator)
    draws = means + stds * torch.randn(5, 200_000, 1, generator=generator)
    prediction = mixture(means, stds**2, correction=0)
    assert float(prediction.mean) == pytest.approx(float(draws.mean()), abs=0.01)
    assert float(prediction.std) == pytest.approx(float(draws.std()), rel=0.01)


def test_the_variance_is_never_negative_in_single_precision() -> None:
    """Means of 100 that differ by 1e-3: mean of squares minus square of mean is NaN in a third of the cases."""
    means = 100 + 1e-3 * torch.randn(5, 1000, 1, generator=generator_for("means"))
    prediction = mixture(means, torch.zeros_like(means), correction=0)
    assert prediction.std.isfinite().all()
    assert float(prediction.std.mean()) == pytest.approx(1e-3, rel=0.2)
    naive = (means.square().mean(0) - means.mean(0).square()).sqrt()
    assert naive.isnan().any()


def test_members_differ_and_share_one_training(tiny: Points) -> None:
    settings = {"net": MLP(width=8, dropout=0), "training": Training(epochs=2, batch_size=20), "n_members": 3}
    told: list[int] = []
    for method in (PUEnsemble(**settings), DeepEnsemble(**settings)):  # type: ignore[arg-type]
        predictors = method.fit_many(
            [tiny, tiny[:40]], generators=[generator_for(0), generator_for(1)], progress=lambda *a: told.append(a[1])
        )
        for predictor in predictors:
            assert isinstance(predictor, EnsemblePredictor | MixturePredictor)
            weights = torch.stack([next(member.parameters()).flatten() for member in predictor.members])
            assert len(weights.unique(dim=0)) == 3
    assert set(told) == {6}  # as many steps as one network takes


def test_a_deep_ensemble_is_mean_and_unbiased_std_of_its_members(tiny: Points) -> None:
    method = DeepEnsemble(net=MLP(width=8, dropout=0), training=Training(epochs=2, batch_size=20))
    prediction = method.fit(tiny, generator=generator_for("fit")).predict(tiny.x, keep_samples=True)
    assert prediction.samples is not None
    assert len(prediction.samples) == 5
    torch.testing.assert_close(prediction.std, prediction.samples.std(0, correction=1))
