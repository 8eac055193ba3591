import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
import torch
from torch import Generator, Tensor

from wdrop._random import generator_for
from wdrop.calibration import CALIBRATIONS
from wdrop.data.scaling import Scaler
from wdrop.methods import CrossFitted, Method, Scaled, SplitCalibrated
from wdrop.methods.calibrated import CalibratedPredictor, IntervalPredictor, PooledPredictor, pooled
from wdrop.methods.w_dropout import WDropout
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Progress, Training, silent
from wdrop.prediction import Points, Prediction, Predictor

SMALL = WDropout(net=MLP(width=16), training=Training(epochs=5, batch_size=20, device="cpu"), n_samples=20)


@dataclass(frozen=True, kw_only=True)
class LeastSquares(Method):
    """A line through the points, solved at once, with a std that is far off; it remembers what it was given."""

    calls: list[list[tuple[Points, "Line"]]] = field(default_factory=list, compare=False)

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        lines = [Line(torch.linalg.lstsq(_with_one(train.x), train.y).solution) for train in trains]
        self.calls.append(list(zip(trains, lines, strict=True)))
        return list(lines)


@dataclass(frozen=True)
class Line(Predictor):
    weights: Tensor
    asked: list[Tensor] = field(default_factory=list)

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        self.asked.append(x)
        mean = _with_one(x) @ self.weights
        return Prediction(mean, 0.1 * (1 + x[:, :1].abs()).expand_as(mean))


def _with_one(x: Tensor) -> Tensor:
    return torch.cat([x, torch.ones_like(x[:, :1])], 1)


def heavy_tailed(n: int, *names: str | int) -> Points:
    """A curve under noise with heavy tails: no line fits, no std is right."""
    generator = generator_for("heavy", n, *names)
    x = torch.randn(n, 2, generator=generator)
    noise = torch.randn(n, 1, generator=generator) / (torch.rand(n, 1, generator=generator) + 0.05)
    return Points(x, x[:, :1].square() + x[:, 1:] + (1 + x[:, 1:].abs()) * noise)


def coverages(method: Method, n_train: int, n_draws: int = 200) -> Tensor:
    """Share of new points inside intervals at level 0.9, for each of many fresh draws of everything."""
    shares = []
    for draw in range(n_draws):
        predictor = method.fit(heavy_tailed(n_train, "train", draw), generator=generator_for("fit", draw))
        assert isinstance(predictor, IntervalPredictor)
        test = heavy_tailed(200, "test", draw)
        lower, upper = predictor.interval(test.x, 0.9, generator=generator_for("predict", draw))
        shares.append(((lower <= test.y) & (test.y <= upper)).float().mean())
    return torch.stack(shares)


@pytest.mark.parametrize("n_held_out", [19, 60])
def test_split_conformal_covers_what_it_guarantees_and_no_more(n_held_out: int) -> None:
    method = SplitCalibrated(method=Scaled(method=LeastSquares()), calibration="conformal", share=0.5)
    found = coverages(method, 2 * n_held_out)
    error = float(found.std()) / len(found) ** 0.5
    assert 0.9 - 3 * error <= float(found.mean()) <= 0.9 + 1 / (n_held_out + 1) + 3 * error
    assert error < 0.01  # else the test says nothing


def test_cv_plus_covers_at_least_what_it_guarantees() -> None:
    found = coverages(CrossFitted(method=Scaled(method=LeastSquares()), calibration="cv_plus"), 40, n_draws=100)
    error = float(found.std()) / len(found) ** 0.5
    assert float(found.mean()) >= 0.8 - 3 * error  # 1 - 2 α; there is no upper bound


def test_uncalibrated_the_same_intervals_would_not_cover() -> None:
    def inside(draw: int) -> Tensor:
        test = heavy_tailed(200, "test", draw)
        prediction = LeastSquares().fit(heavy_tailed(80, draw), generator=generator_for(draw)).predict(test.x)
        return ((prediction.mean - test.y).abs() <= 1.645 * prediction.std).float().mean()

    assert torch.stack([inside(draw) for draw in range(20)]).mean() < 0.5


def test_the_scale_is_that_of_leaving_blocks_out_by_hand() -> None:
    points = Scaler.of(heavy_tailed(43)).points(heavy_tailed(43))
    order = points.y.flatten().argsort(stable=True)
    squares = []
    for block in order.tensor_split(5):
        rest = torch.tensor([row for row in order.tolist() if row not in block.tolist()])
        # standardised by the rows that train, and by no other
        line = Scaled(method=LeastSquares()).fit(points[rest], generator=generator_for("by hand"))
        prediction = line.predict(points.x[block])
        squares.append(((points.y[block] - prediction.mean) / prediction.std).square())
    found = CrossFitted(method=LeastSquares(), cut="label").fit(points, generator=generator_for("fit"))
    assert found.facts["calibration_scale"] == pytest.approx(float(torch.cat(squares).mean().sqrt()), rel=1e-4)


def test_all_networks_train_in_one_stack_and_judge_rows_they_have_not_seen() -> None:
    spy = LeastSquares()
    CrossFitted(method=spy).fit_many([heavy_tailed(40), heavy_tailed(23)], generators=[generator_for(k) for k in "ab"])
    [call] = spy.calls
    assert [len(train) for train, _ in call] == [40, 32, 32, 32, 32, 32, 23, 18, 18, 18, 19, 19]
    for train, line in call:
        asked = torch.cat(line.asked) if line.asked else torch.empty(0, 2)
        assert len(train) + len(asked) in (40, 23)
        assert not (asked.unsqueeze(1) == train.x).all(2).any()


def test_inner_sets_have_the_mean_and_std_of_the_whole() -> None:
    spy, points = LeastSquares(), heavy_tailed(40)
    CrossFitted(method=spy).fit(points, generator=generator_for("fit"))
    for train, _ in spy.calls[0]:
        for part in ("x", "y"):
            inner, whole = getattr(train, part), getattr(points, part)
            torch.testing.assert_close(inner.mean(0), whole.mean(0), rtol=1e-3, atol=1e-4)
            torch.testing.assert_close(inner.std(0, correction=0), whole.std(0, correction=0), rtol=1e-3, atol=0)


def test_the_mean_is_that_of_the_bare_method(tiny: Points) -> None:
    bare = SMALL.fit(tiny, generator=generator_for("fit")).predict(tiny.x, generator=generator_for("p"))
    fitted = CrossFitted(method=SMALL).fit(tiny, generator=generator_for("fit"))
    calibrated = fitted.predict(tiny.x, generator=generator_for("p"))
    torch.testing.assert_close(calibrated.mean, bare.mean, rtol=1e-4, atol=1e-5)
    ratio = calibrated.std / bare.std
    torch.testing.assert_close(ratio, torch.full_like(ratio, fitted.facts["calibration_scale"]), rtol=1e-3, atol=0)


@pytest.mark.parametrize(
    "method",
    [
        *[CrossFitted(method=SMALL, calibration=name) for name in (*CALIBRATIONS, "cv_plus")],
        CrossFitted(method=SMALL, mean="ensemble", n_repeats=2),
        CrossFitted(method=SMALL, cut="pca"),
        CrossFitted(method=Scaled(method=SMALL), cut="label"),
        SplitCalibrated(method=SMALL),
    ],
    ids=lambda method: getattr(method, "calibration", ""),
)
def test_the_contract_of_methods_holds(method: Method, tiny: Points) -> None:
    points = Points(tiny.x.double(), tiny.y.double().repeat(1, 2))
    sets = [points, points[:43]]
    together = method.fit_many(sets, generators=[generator_for("fit", k) for k in range(2)])
    alone = method.fit(sets[1], generator=generator_for("fit", 1))
    again = pickle.loads(pickle.dumps(together[1]))
    one, other, third = (p.predict(points.x, generator=generator_for("p")) for p in (together[1], alone, again))
    torch.testing.assert_close(one.mean, other.mean, rtol=1e-7, atol=1e-9)
    torch.testing.assert_close(one.std, other.std, rtol=1e-7, atol=1e-9)
    assert torch.equal(one.std, third.std)
    few = together[1].predict(points.x[7:9], generator=generator_for("p"))
    torch.testing.assert_close(few.std, one.std[7:9])
    assert isinstance(alone, IntervalPredictor)
    lower, upper = alone.interval(points.x, 0.8, generator=generator_for("p"))
    assert lower.shape == upper.shape == one.mean.shape == points.y.shape
    assert (lower < upper).all()
    assert pickle.loads(pickle.dumps(method)) == method


def test_weights_reach_the_calibration() -> None:
    points = heavy_tailed(60)
    wild = (points.y.abs() > 5).float()
    weighted = Points(points.x, points.y, 1 - wild)
    plain, careful = (
        method.fit(some, generator=generator_for("fit")).facts["calibration_scale"]
        for some in (points, weighted)
        for method in [CrossFitted(method=LeastSquares(), cut="pca")]
    )
    assert careful < 0.7 * plain
    split = SplitCalibrated(method=LeastSquares(), calibration="scale", share=0.4)
    assert (
        split.fit(weighted, generator=generator_for("fit")).facts["calibration_scale"]
        < 0.7 * split.fit(points, generator=generator_for("fit")).facts["calibration_scale"]
    )


def test_an_ensemble_has_the_mean_of_its_members_and_doubts_where_they_disagree() -> None:
    mean, std = torch.tensor([[0.0], [2.0]]), torch.tensor([[1.0], [2.0]])
    one = Prediction.of_parts(mean, 0.6 * std, 0.8 * std)
    other = Prediction.of_parts(mean + 2, 0.6 * std, 0.8 * std)
    for disagreement, added in ((True, 2), (False, 0)):
        both = pooled([one, other], disagreement=disagreement)
        torch.testing.assert_close(both.mean, mean + 1)
        torch.testing.assert_close(both.std, (std.square() + added).sqrt())
        assert both.aleatoric is not None
        assert both.epistemic is not None
        torch.testing.assert_close(torch.hypot(both.aleatoric, both.epistemic), both.std)


def test_the_judges_of_a_single_cut_and_their_ensemble_are_alike_in_std() -> None:
    predictor = CrossFitted(method=LeastSquares(), mean="ensemble").fit(heavy_tailed(40), generator=generator_for(1))
    assert isinstance(predictor, CalibratedPredictor)
    assert isinstance(predictor.predictor, PooledPredictor)
    x = heavy_tailed(7).x
    alone = torch.stack([member.predict(x).std for member in predictor.predictor.members])
    together = predictor.predictor.predict(x, generator=generator_for(2)).std
    torch.testing.assert_close(together, alone.square().mean(0).sqrt())


def test_an_ensemble_of_repeats_pools_the_judges_of_each_row() -> None:
    spy = LeastSquares()
    predictor = CrossFitted(method=spy, mean="ensemble", n_repeats=3).fit(heavy_tailed(40), generator=generator_for(1))
    assert [len(train) for train, _ in spy.calls[0]] == [32] * 15
    assert sum(len(asked) for _, line in spy.calls[0] for asked in line.asked) == 3 * 40
    assert isinstance(predictor, CalibratedPredictor)
    assert isinstance(predictor.predictor, PooledPredictor)
    x = heavy_tailed(7).x
    means = torch.stack([member.predict(x).mean for member in predictor.predictor.members])
    torch.testing.assert_close(predictor.predict(x, generator=generator_for(2)).mean, means.mean(0))
    assert (means.std(0) > 0).all()


def test_fewer_rows_than_folds_are_left_out_one_by_one() -> None:
    spy = LeastSquares()
    CrossFitted(method=spy, n_folds=10).fit(heavy_tailed(6), generator=generator_for("fit"))
    assert [len(train) for train, _ in spy.calls[0]] == [6] + [5] * 6


def test_wrong_use_is_told() -> None:
    with pytest.raises(ValueError, match="unknown calibration 'scal', did you mean 'scale'"):
        CrossFitted(method=SMALL, calibration="scal")
    with pytest.raises(ValueError, match="n_folds of at least 2, got 1"):
        CrossFitted(method=SMALL, n_folds=1)
    with pytest.raises(ValueError, match="only there do more cuts tell more"):
        CrossFitted(method=SMALL, n_repeats=2)
    with pytest.raises(ValueError, match=r"share of rows between 0 and 1, got 1\.5"):
        SplitCalibrated(method=SMALL, share=1.5)
    for method in (CrossFitted(method=SMALL), SplitCalibrated(method=SMALL)):
        with pytest.raises(ValueError, match="at least 2 points to hold some out, got 1"):
            method.fit(heavy_tailed(1), generator=generator_for("fit"))
