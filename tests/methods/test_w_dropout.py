import numpy as np
import pytest
import torch

from wdrop import evaluate
from wdrop._random import generator_for
from wdrop.data import Scaler, noisy_line, toy_noise
from wdrop.methods import MCDropout, Method, WDropout
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training


def test_its_sub_networks_spread_like_the_noise_and_those_of_mc_dropout_do_not() -> None:
    train = noisy_line(generator=generator_for("line"), n=1000)
    net, training = MLP(width=32), Training(epochs=300)

    def mean_std(method: Method) -> float:
        predictor = method.fit(train, generator=generator_for("fit"))
        return float(predictor.predict(train.x, generator=generator_for("p")).std.mean())

    assert mean_std(WDropout(net=net, training=training, n_draws=9)) == pytest.approx(1, abs=0.2)
    assert mean_std(MCDropout(net=net, training=training, added_variance="none")) < 0.3


def test_one_draw_has_no_spread_and_is_refused() -> None:
    with pytest.raises(ValueError, match="n_draws of at least 2, got 1"):
        WDropout(n_draws=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["w_dropout", "mc_dropout", "mc_dropout as published"])
def test_toy_noise_at_published_epochs(name: str) -> None:
    """Ten stacked seeds of 2 x 50 units, L = 10, judged on 20,000 fresh points; W-dropout takes 3 minutes.

    Published, W-dropout: NLL -0.330, WS 0.054. MC dropout cannot follow the noise: published WS 0.693. That value fits
    10,000 training points; with all 20,000 its additive variance as published is twice as large, which happens to suit
    this set better (WS 0.39).
    """
    net = MLP(width=50)
    methods: dict[str, Method] = {
        "w_dropout": WDropout(net=net, n_draws=10),
        "mc_dropout": MCDropout(net=net),
        "mc_dropout as published": MCDropout(net=net, as_published=True),
    }
    seeds = range(10)
    trains = [toy_noise(generator=generator_for("toy-noise", "train", seed)) for seed in seeds]
    test = toy_noise(generator=generator_for("toy-noise", "fresh"))
    scalers = [Scaler.of(train) for train in trains]
    predictors = methods[name].fit_many(
        [scaler.points(train) for scaler, train in zip(scalers, trains, strict=True)],
        generators=[generator_for("toy-noise", name, seed) for seed in seeds],
    )
    scores = []
    for seed, scaler, predictor in zip(seeds, scalers, predictors, strict=True):
        judged = scaler.points(test)
        prediction = predictor.predict(judged.x, generator=generator_for("toy-noise", "predict", name, seed))
        scores.append(evaluate(prediction.mean, prediction.std, judged.y))
    print(f"\n{name}, lower quartile, median, upper quartile of {len(scores)} seeds:")
    median = {}
    for measure in scores[0]:
        low, median[measure], high = np.quantile([score[measure] for score in scores], [0.25, 0.5, 0.75])
        print(f"  {measure:8} {low:7.3f} {median[measure]:7.3f} {high:7.3f}")
    grid = scalers[0].inputs(torch.tensor([[0.0], [12.0]]))
    middle, edge = predictors[0].predict(grid, generator=generator_for("toy-noise", "grid")).std.flatten().tolist()
    print(f"  std in the middle over std at x = 12: {middle / edge:.2f} (true: {np.exp(0.02 * 144):.1f})")
    if name == "w_dropout":
        assert median["nll"] <= -0.22
        assert median["ws"] <= 0.20
        assert middle > 4 * edge
    else:
        assert middle < 1.5 * edge
    if name == "mc_dropout":
        assert median["ws"] > 0.4
