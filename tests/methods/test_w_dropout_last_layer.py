import numpy as np
import pytest
import torch

from wdrop import evaluate, sample
from wdrop._random import generator_for
from wdrop.data import Scaler, noisy_line, toy_noise
from wdrop.methods import WDropoutLastLayer
from wdrop.methods.w_dropout_last_layer import LastLayerPredictor
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points


def fitted(points: Points, **settings: int) -> LastLayerPredictor:
    net, training = MLP(width=32, depth=3, last_layer_only=True), Training(epochs=60)
    method = WDropoutLastLayer(net=net, training=training, **settings)
    predictor = method.fit(points, generator=generator_for("fit"))
    assert isinstance(predictor, LastLayerPredictor)
    return predictor


def test_its_std_is_the_spread_of_its_sub_networks() -> None:
    train = noisy_line(generator=generator_for("line"), n=1000)
    predictor = fitted(train)
    drawn = sample(predictor.net, train.x[:20], 10_000, generator=generator_for("g"))
    std = predictor.predict(train.x[:20]).std
    torch.testing.assert_close(std, drawn.std(0), rtol=0.03, atol=0)
    assert float(std.mean()) == pytest.approx(1, abs=0.15)


def test_effective_l_makes_std_bolder() -> None:
    train = noisy_line(generator=generator_for("line"), n=1000)
    assert float(fitted(train, effective_L=5).predict(train.x).std.mean()) == pytest.approx(0.7, abs=0.12)


def test_all_layers_are_refused() -> None:
    with pytest.raises(ValueError, match="last_layer_only=True, got False"):
        WDropoutLastLayer(net=MLP())


@pytest.mark.slow
def test_toy_noise_at_published_epochs() -> None:
    """Ten stacked seeds of 3 x 50 units, judged on 20,000 fresh points, as sampled W-dropout is."""
    trains = [toy_noise(generator=generator_for("toy-noise", "train", seed)) for seed in range(10)]
    test = toy_noise(generator=generator_for("toy-noise", "fresh"))
    scalers = [Scaler.of(train) for train in trains]
    method = WDropoutLastLayer(net=MLP(width=50, depth=3, last_layer_only=True))
    predictors = method.fit_many(
        [scaler.points(train) for scaler, train in zip(scalers, trains, strict=True)],
        generators=[generator_for("toy-noise", "w_dropout_last_layer", seed) for seed in range(10)],
    )
    scores = []
    for scaler, predictor in zip(scalers, predictors, strict=True):
        judged = scaler.points(test)
        prediction = predictor.predict(judged.x)
        scores.append(evaluate(prediction.mean, prediction.std, judged.y))
    print("\nw_dropout_last_layer, lower quartile, median, upper quartile of 10 seeds:")
    median = {}
    for measure in scores[0]:
        low, median[measure], high = np.quantile([score[measure] for score in scores], [0.25, 0.5, 0.75])
        print(f"  {measure:8} {low:7.3f} {median[measure]:7.3f} {high:7.3f}")
    assert median["nll"] <= -0.34
    assert median["ece"] <= 0.11
    assert median["ws"] <= 0.09
