import numpy as np
import pytest
import torch

from wdrop import evaluate, predict
from wdrop._random import generator_for
from wdrop.data import Scaler, noisy_line, toy_noise
from wdrop.methods import Method, WDropout, WDropoutClosed, WDropoutLastLayer
from wdrop.methods.w_dropout_closed import ClosedFormPredictor
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points

SEEDS = range(10)


def fitted(points: Points, *, effective_l: int | None = None) -> ClosedFormPredictor:
    method = WDropoutClosed(
        net=MLP(width=32), training=Training(epochs=40, learning_rate=5e-3), effective_L=effective_l
    )
    predictor = method.fit(points, generator=generator_for("fit"))
    assert isinstance(predictor, ClosedFormPredictor)
    return predictor


def test_its_std_is_about_the_noise_and_bolder_if_asked() -> None:
    train = noisy_line(generator=generator_for("line"), n=1000)
    calibrated, bold = (float(fitted(train, effective_l=n).predict(train.x).std.mean()) for n in (None, 5))
    assert calibrated == pytest.approx(1, abs=0.2)
    assert bold < 0.85 * calibrated


def test_a_net_without_dropout_is_refused() -> None:
    with pytest.raises(ValueError, match=r"net\.dropout above 0, got 0"):
        WDropoutClosed(net=MLP(dropout=0))


def test_draws_for_a_share_of_the_rows_keep_std_nearer_to_the_sub_networks() -> None:
    def gap(drawn_share: float) -> float:
        train = Scaler.of(points).points(points)
        method = WDropoutClosed(
            net=MLP(width=16, depth=3), training=Training(epochs=40, learning_rate=1e-2), drawn_share=drawn_share
        )
        predictors = method.fit_many([train] * 4, generators=[generator_for("fit", seed) for seed in range(4)])
        gaps = []
        for predictor in predictors:
            assert isinstance(predictor, ClosedFormPredictor)
            drawn = predict(predictor.net, train.x[::10], n_samples=500, generator=generator_for("gap")).std
            gaps.append(float((predictor.predict(train.x[::10]).std / drawn - 1).abs().median()))
        return float(np.mean(gaps))

    points = toy_noise(generator=generator_for("toy-noise", "share"), n_x=100)
    assert gap(0.5) < 0.8 * gap(0.0)


def test_a_share_of_drawn_rows_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"drawn_share in \[0, 1\), got 1"):
        WDropoutClosed(drawn_share=1)


def toy_scores(name: str, method: Method, train_seeds: range = SEEDS) -> list[dict[str, float]]:
    """Scores of each seed on 20,000 fresh points; seed s has the same training points under every method."""
    trains = [toy_noise(generator=generator_for("toy-noise", "train", seed)) for seed in train_seeds]
    test = toy_noise(generator=generator_for("toy-noise", "fresh"))
    scalers = [Scaler.of(train) for train in trains]
    predictors = method.fit_many(
        [scaler.points(train) for scaler, train in zip(scalers, trains, strict=True)],
        generators=[generator_for("toy-noise", name, seed) for seed in train_seeds],
    )
    scores = []
    for scaler, predictor in zip(scalers, predictors, strict=True):
        judged = scaler.points(test)
        prediction = predictor.predict(judged.x, generator=generator_for("toy-noise", "predict"))
        scores.append(evaluate(prediction.mean, prediction.std, judged.y))
        if not isinstance(method, WDropout):
            print_gap(name, predictor.net, judged.x[::40])  # type: ignore[attr-defined]
    return scores


def print_gap(name: str, net: torch.nn.Sequential, x: torch.Tensor) -> None:
    drawn = predict(net, x, n_samples=10_000, generator=generator_for("gap")).std
    off = (predict(net, x, "closed_form").std / drawn - 1).abs()
    print(f"  {name}: told against drawn std, median {off.median():.3f}, 95 % {off.quantile(0.95):.3f}")


@pytest.mark.slow
def test_toy_noise_seed_by_seed_against_sampled() -> None:
    """Ten stacked seeds, width 50, published epochs: the better of the two new methods against sampled L = 10."""
    methods: dict[str, Method] = {
        "w_dropout": WDropout(net=MLP(width=50), n_draws=10),
        "w_dropout_closed": WDropoutClosed(net=MLP(width=50)),
        "w_dropout_last_layer": WDropoutLastLayer(net=MLP(width=50, depth=3, last_layer_only=True)),
    }
    found = {}
    for name, method in methods.items():
        scores = toy_scores(name, method)
        found[name] = {measure: np.array([score[measure] for score in scores]) for measure in ("nll", "ece", "ws")}
        print(name, {measure: round(float(np.median(values)), 3) for measure, values in found[name].items()})
    new = ("w_dropout_closed", "w_dropout_last_layer")
    for name in new:
        for measure in ("nll", "ece", "ws"):
            difference = found[name][measure] - found["w_dropout"][measure]
            print(f"{name} - w_dropout, {measure}: {np.round(difference, 3)}, better in {np.sum(difference < 0)} of 10")
    best = min(new, key=lambda name: float(np.median(found[name]["nll"])))
    for measure, limit in {"nll": -0.34, "ece": 0.11, "ws": 0.09}.items():
        assert float(np.median(found[best][measure])) <= limit
        assert float(np.median(found[best][measure] - found["w_dropout"][measure])) < 0
    assert np.sum(found[best]["nll"] < found["w_dropout"]["nll"]) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_gap_to_the_draws_is_told_at_every_depth(depth: int) -> None:
    seeds = range(3)
    toy_scores(f"closed, depth {depth}", WDropoutClosed(net=MLP(width=50, depth=depth)), seeds)
    last = MLP(width=50, depth=depth, last_layer_only=True)
    toy_scores(f"last layer, depth {depth}", WDropoutLastLayer(net=last), seeds)
