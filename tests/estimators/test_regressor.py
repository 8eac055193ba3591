import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from wdrop import METHODS, Regressor
from wdrop.methods import PU, WDropout
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training

N = 120
RANDOM = np.random.default_rng(0)
X: NDArray[np.float64] = RANDOM.normal(size=(N, 3))
Y: NDArray[np.float64] = 10 + 5 * X[:, 0] + RANDOM.normal(size=N)


def quick(method: Any = "pu", **settings: Any) -> Regressor:
    return Regressor(
        method, **{"n_steps": 200, "width": 16, "learning_rate": 1e-2, "device": "cpu", "random_state": 0, **settings}
    )


def test_mean_and_std_are_in_the_units_and_the_shape_of_y() -> None:
    mean, std = quick().fit(X, Y).predict(X, return_std=True)
    assert mean.shape == std.shape == (N,)
    assert np.sqrt(np.mean((mean - Y) ** 2)) < 2
    assert 0.3 < np.median(std) < 3


@pytest.mark.parametrize("method", METHODS)
def test_every_method_fits_and_comes_back_from_its_file(method: str, tmp_path: Any) -> None:
    regressor = quick(method, n_steps=20).fit(X, np.column_stack([Y, -Y]))
    regressor.save(tmp_path / "model.wdrop")
    again = Regressor.load(tmp_path / "model.wdrop")
    for one, other in zip(regressor.predict(X, True), again.predict(X, True), strict=True):
        assert np.array_equal(one, other)
        assert one.shape == (N, 2)


def test_the_random_state_decides_fit_and_prediction() -> None:
    first, again, other = (quick("w_dropout", random_state=seed, n_steps=20).fit(X, Y) for seed in (1, 1, 2))
    assert np.array_equal(first.predict(X), again.predict(X))
    assert not np.array_equal(first.predict(X), other.predict(X))
    unseeded = quick("w_dropout", random_state=None, n_steps=20).fit(X, Y)
    assert np.array_equal(unseeded.predict(X), unseeded.predict(X))


def test_the_order_of_rows_is_nothing_and_weights_are_counts() -> None:
    order = np.random.default_rng(1).permutation(N)
    counts = np.random.default_rng(2).integers(0, 3, N)
    plain = quick("w_dropout", n_steps=20).fit(X, Y)
    assert np.array_equal(plain.predict(X), quick("w_dropout", n_steps=20).fit(X[order], Y[order]).predict(X))
    weighted = quick("w_dropout", n_steps=20).fit(X, Y, sample_weight=counts)
    repeated = quick("w_dropout", n_steps=20).fit(X.repeat(counts, axis=0), Y.repeat(counts))
    assert np.array_equal(weighted.predict(X), repeated.predict(X))
    assert not np.array_equal(weighted.predict(X), plain.predict(X))


def test_weights_that_are_no_counts_matter_too() -> None:
    y = np.where(X[:, 0] > 0, 1.0, -1.0) * np.where(np.arange(N) % 2, 1, -1)  # rows that contradict each other
    weight = np.where(np.arange(N) % 2, 2.5, 0.01)
    mean = quick().fit(X, y, sample_weight=weight).predict(X)
    assert np.mean(mean * np.sign(X[:, 0])) > 0.6  # without weights about 0


def test_frames_and_matrices_give_the_same_model() -> None:
    names = ["a", "b", "c"]
    frames = [pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names), X]
    fitted = [quick(n_steps=20).fit(frame, Y) for frame in frames]
    for regressor, frame in zip(fitted[:2], frames[:2], strict=True):
        assert list(regressor.feature_names_in_) == names
        assert np.array_equal(regressor.predict(frame), fitted[2].predict(X))
    assert not hasattr(fitted[2], "feature_names_in_")
    with pytest.raises(ValueError, match="feature names should match"):
        fitted[0].predict(pd.DataFrame(X, columns=["other", "b", "c"]))


def test_targets_that_were_not_observed_have_no_say() -> None:
    y = np.column_stack([Y, 3 * X[:, 1]])
    gaps = y.copy()
    gaps[::2, 1] = np.nan
    regressor = quick(n_steps=400).fit(X, gaps)
    assert regressor.score(X[::2], y[::2]) > 0.6  # learned from the other half
    assert regressor.score(X, gaps) > 0.6
    single = quick(n_steps=20).fit(X, gaps[:, 1])
    assert np.array_equal(single.predict(X), quick(n_steps=20).fit(X[1::2], gaps[1::2, 1]).predict(X))
    with pytest.raises(ValueError, match="NaN only, in target 0"):
        quick().fit(X, np.full(N, np.nan))


def test_words_and_gaps_are_features() -> None:
    city = np.where(X[:, 1] > 0, "Ulm", "Bonn").astype(object)
    income = np.where(np.arange(N) % 3 == 0, np.nan, X[:, 0])
    y = 5.0 * (city == "Ulm") + 5.0 * np.isnan(income) + 0.1 * X[:, 2]
    frame = pd.DataFrame({"city": pd.Series(city, dtype="category"), "income": income})
    regressor = quick().fit(frame, y)
    assert regressor.score(frame, y) > 0.95
    assert regressor.model_.columns.titles == ["city = Bonn", "city = Ulm", "income", "income missing"]
    matrix = np.column_stack([city, income.astype(object)])
    assert np.array_equal(quick().fit(matrix, y).predict(matrix), regressor.predict(frame))
    polars = pl.DataFrame({"city": list(city), "income": [None if np.isnan(v) else v for v in income]})
    assert np.array_equal(quick().fit(polars, y).predict(polars), regressor.predict(frame))


def test_pipelines_grids_and_clones() -> None:
    pipeline = make_pipeline(PolynomialFeatures(2), quick())
    assert cross_val_score(pipeline, X, Y, cv=2).mean() > 0.5
    search = GridSearchCV(quick(), {"method": ["pu", PU(net=MLP(dropout=0))], "n_steps": [1, 200]}, cv=2).fit(X, Y)
    assert search.best_params_["n_steps"] == 200
    again = clone(quick("w_dropout", calibrate="cross"))
    assert again.get_params() == quick("w_dropout", calibrate="cross").get_params()


def test_pickles_keep_the_fitted_model() -> None:
    regressor = quick(n_steps=20).fit(X, Y)
    before = regressor.predict(X)
    assert np.array_equal(pickle.loads(pickle.dumps(regressor)).predict(X), before)


def test_intervals_quantiles_and_samples_tell_the_same_story() -> None:
    regressor = quick().fit(X, Y)
    mean, std = regressor.predict(X, return_std=True)
    lower, upper = regressor.predict_interval(X, level=0.6826894921370859)
    np.testing.assert_allclose(lower, mean - std)
    np.testing.assert_allclose(upper, mean + std)
    np.testing.assert_allclose(regressor.predict_quantiles(X, [0.5])[0], mean)
    samples = regressor.sample(X, 4000, random_state=0)
    assert samples.shape == (4000, N)
    assert np.all(np.abs(samples.mean(0) - mean) < 0.1 * std)
    np.testing.assert_allclose(samples.std(0), std, rtol=0.08)


def test_levels_that_are_no_numbers_are_told() -> None:
    model = quick(n_steps=2).fit(X, Y)
    with pytest.raises(TypeError, match=r"expected several quantiles, such as .*, got 0\.5; put it in a list"):
        model.predict_quantiles(X, 0.5)  # type: ignore[arg-type]
    for ask in (lambda: model.predict_quantiles(X, ["a"]), lambda: model.predict_interval(X, level="a")):  # type: ignore[list-item,arg-type]
        with pytest.raises(TypeError, match=r"expected a level as a number between 0 and 1, such as 0\.9, got 'a'"):
            ask()


@pytest.mark.parametrize("calibrate", ["cross", "split", "robust_scale", "isotonic", "conformal", "cv_plus"])
def test_calibrated_intervals_hold_what_they_say_and_are_saved(calibrate: str, tmp_path: Any) -> None:
    stream = np.random.default_rng(3)
    x = stream.normal(size=(400, 2))
    y = x[:, 0] + stream.normal(size=400)
    regressor = quick("deep_ensemble", calibrate=calibrate, n_steps=60).fit(x[:200], y[:200])  # raw: 0.1
    lower, upper = regressor.predict_interval(x[200:], 0.9)
    assert 0.75 < np.mean((y[200:] > lower) & (y[200:] < upper)) < 0.99
    regressor.save(tmp_path / "model")
    assert np.array_equal(Regressor.load(tmp_path / "model").predict_interval(x[200:], 0.9)[0], lower)
    assert regressor.model_.summary["calibrate"] == calibrate


def test_early_stopping_stops_and_keeps_what_did_best() -> None:
    stream = np.random.default_rng(4)
    x, y = stream.normal(size=(60, 5)), stream.normal(size=60)  # noise: the longer, the worse
    told: list[tuple[int, int]] = []
    settings = {"n_steps": 5000, "epochs": 5000, "width": 64}
    stopped = quick(**settings, early_stopping=True, patience=3, progress=lambda *args: told.append(args)).fit(x, y)
    assert len(told) < 50  # looks at 50 steps each; the last jumps to the end
    fresh = stream.normal(size=(500, 5))
    assert np.std(stopped.predict(fresh)) < 1
    with pytest.raises(ValueError, match="cannot stop early"):
        quick("swag", early_stopping=True).fit(x, y)


@pytest.mark.parametrize("method", ["w_dropout", "concrete_dropout", "pu_ensemble"])
def test_a_warm_start_goes_on_where_it_was(method: str) -> None:
    regressor = quick(method, warm_start=True).fit(X, Y)
    before = regressor.predict(X)
    regressor.set_params(n_steps=1, learning_rate=1e-6).fit(X[:50], Y[:50])
    np.testing.assert_allclose(regressor.predict(X), before, atol=0.05)
    with pytest.raises(ValueError, match="expecting 3 features"):
        regressor.fit(np.column_stack([X, X[:, :1]]), Y)


def test_a_warm_start_that_makes_no_sense_is_refused() -> None:
    regressor = quick(warm_start=True, calibrate="split", n_steps=5).fit(X, Y)
    with pytest.raises(ValueError, match="an uncalibrated model of networks to go on from"):
        regressor.fit(X, Y)


def test_a_method_brings_its_own_training_unless_told_otherwise() -> None:
    own = WDropout(net=MLP(width=8), training=Training(epochs=2, batch_size=30, device="cpu"))
    summary = Regressor(own).fit(X, Y).model_.summary
    assert (summary["epochs"], summary["batch_size"]) == (2, 30)
    summary = Regressor(own, epochs=3, batch_size=60).fit(X, Y).model_.summary
    assert (summary["epochs"], summary["batch_size"]) == (3, 60)


def test_float32_is_computed_in_single_precision() -> None:
    regressor = quick().fit(X, Y)
    single = regressor.predict(X.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, regressor.predict(X), rtol=1e-4)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "w_dropuot"}, "unknown method 'w_dropuot', did you mean 'w_dropout'"),
        ({"calibrate": "croos"}, "unknown calibration 'croos', did you mean 'cross'"),
        ({"epochs": "papr"}, "unknown regime 'papr', did you mean 'paper'"),
        ({"n_steps": 0}, "n_steps of at least 1, got 0"),
        ({"early_stopping": True, "validation_fraction": 1.5}, r"held_out in \[0, 1\), got 1.5"),
    ],
)
def test_wrong_settings_are_refused_in_fit(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        quick(**settings).fit(X, Y)


def test_mapie_takes_our_std() -> None:
    regression = pytest.importorskip("mapie.regression")
    scores = pytest.importorskip("mapie.conformity_scores")
    mapie = regression.SplitConformalRegressor(
        quick().fit(X[:60], Y[:60]), confidence_level=0.8, conformity_score=scores.StdConformityScore(), prefit=True
    )
    mapie.conformalize(X[60:], Y[60:])
    mean, interval = mapie.predict_interval(X)
    std = quick().fit(X[:60], Y[:60]).predict(X, return_std=True)[1]
    half = (interval[:, 1, 0] - interval[:, 0, 0]) / 2
    np.testing.assert_allclose(half / std, (half / std)[0], rtol=1e-6)  # as wide as our std says, times one factor
    assert mean.shape == (N,)
