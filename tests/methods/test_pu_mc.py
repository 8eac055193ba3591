import torch

from wdrop import sample
from wdrop._random import generator_for, seed_from
from wdrop.methods import PUMC
from wdrop.methods.pu_mc import SampledMixturePredictor
from wdrop.nets.heads import gaussian_head
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points


def fitted(tiny: Points) -> SampledMixturePredictor:
    method = PUMC(net=MLP(width=16), training=Training(epochs=20, batch_size=20), n_samples=40)
    predictor = method.fit(tiny, generator=generator_for("fit"))
    assert isinstance(predictor, SampledMixturePredictor)
    return predictor


def test_variance_is_mean_of_variances_plus_variance_of_means(tiny: Points) -> None:
    predictor = fitted(tiny)
    prediction = predictor.predict(tiny.x, generator=generator_for("p"))
    raw = sample(predictor.net, tiny.x, 40, generator=generator_for(seed_from(generator_for("p"))))
    means, variances = gaussian_head(raw)
    torch.testing.assert_close(prediction.mean, means.mean(0))
    torch.testing.assert_close(prediction.std.square(), variances.mean(0) + means.var(0, correction=1))


def test_rows_in_chunks_see_the_same_sub_networks(tiny: Points) -> None:
    predictor = fitted(tiny)
    many = tiny.x.repeat(200, 1)  # 12,000 rows, more than are taken at once
    prediction = predictor.predict(many, generator=generator_for("p"), keep_samples=True)
    few = predictor.predict(tiny.x, generator=generator_for("p"), keep_samples=True)
    torch.testing.assert_close(prediction.std[-60:], few.std)
    assert prediction.samples is not None
    assert few.samples is not None
    torch.testing.assert_close(prediction.samples[:, -60:], few.samples)
