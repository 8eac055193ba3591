"""What every method keeps to; a new entry of METHODS is found by itself."""

import dataclasses
import inspect
import pickle

import pytest
import torch

import wdrop.methods
from wdrop._random import generator_for
from wdrop.methods import METHODS, CrossFitted, Method, Scaled, SplitCalibrated
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points, Prediction

every_method = pytest.mark.parametrize("name", METHODS)


def small(name: str, epochs: int = 3) -> Method:
    """The method with its own defaults, but for a small network and little training."""
    fields = {field.name: field.default for field in dataclasses.fields(METHODS[name])}  # type: ignore[arg-type]
    net, training = fields["net"], fields["training"]
    assert isinstance(net, MLP)
    assert isinstance(training, Training)
    return METHODS[name](
        net=dataclasses.replace(net, width=16),  # type: ignore[call-arg]
        training=dataclasses.replace(training, epochs=epochs, batch_size=20, device="cpu"),
    )


def predict(name: str, points: Points, seed: int = 1) -> Prediction:
    predictor = small(name).fit(points, generator=generator_for("fit", seed))
    return predictor.predict(points.x, generator=generator_for("predict", seed))


def test_every_method_is_listed_under_the_name_of_its_file() -> None:
    wrappers = (Method, Scaled, CrossFitted, SplitCalibrated)
    found = {
        value
        for value in vars(wdrop.methods).values()
        if inspect.isclass(value) and issubclass(value, Method) and value not in wrappers
    }
    assert found == set(METHODS.values())
    for name, method in METHODS.items():
        assert method.__module__ == f"wdrop.methods.{name}"


@every_method
def test_a_method_is_a_frozen_final_dataclass_with_a_docstring(name: str) -> None:
    method = METHODS[name]
    assert dataclasses.is_dataclass(method)
    assert getattr(method, "__final__", False)
    assert method.__doc__
    with pytest.raises(dataclasses.FrozenInstanceError):
        method().training = Training()


@every_method
@pytest.mark.parametrize("n_targets", [1, 3])
def test_mean_and_std_have_the_shape_of_y_and_are_finite(name: str, n_targets: int, tiny: Points) -> None:
    points = Points(tiny.x, tiny.y.repeat(1, n_targets))
    prediction = predict(name, points)
    assert prediction.mean.shape == prediction.std.shape == points.y.shape
    assert prediction.mean.isfinite().all()
    assert (prediction.std >= 0).all()
    assert prediction.mean.dtype == points.y.dtype


@every_method
def test_the_generator_decides_everything(name: str, tiny: Points) -> None:
    first, again, other = (predict(name, tiny, seed) for seed in (1, 1, 2))
    assert torch.equal(first.mean, again.mean)
    assert torch.equal(first.std, again.std)
    assert not torch.equal(first.mean, other.mean)


@every_method
def test_fitting_together_or_alone_gives_the_same_predictor(name: str, tiny: Points) -> None:
    points = Points(tiny.x.double(), tiny.y.double())
    sets = [points, points[:43]]
    together = small(name).fit_many(sets, generators=[generator_for("fit", k) for k in range(2)])
    for k, train in enumerate(sets):
        alone = small(name).fit(train, generator=generator_for("fit", k))
        one, other = (p.predict(points.x, generator=generator_for("p")) for p in (together[k], alone))
        torch.testing.assert_close(one.mean, other.mean, rtol=1e-7, atol=1e-9)
        torch.testing.assert_close(one.std, other.std, rtol=1e-7, atol=1e-9)


@every_method
def test_what_is_said_of_a_row_does_not_depend_on_the_other_rows(name: str, tiny: Points) -> None:
    predictor = small(name).fit(tiny, generator=generator_for("fit"))
    together = predictor.predict(tiny.x, generator=generator_for("p"))
    few = predictor.predict(tiny.x[7:9], generator=generator_for("p"))
    torch.testing.assert_close(few.mean, together.mean[7:9])
    torch.testing.assert_close(few.std, together.std[7:9])


@every_method
def test_it_learns_a_slope(name: str, tiny: Points) -> None:
    predictor = small(name, epochs=300).fit(tiny, generator=generator_for("fit"))
    error = (predictor.predict(tiny.x, generator=generator_for("p")).mean - tiny.y).square().mean()
    assert error < 0.5 * tiny.y.var()


@every_method
def test_samples_come_when_asked_for_and_agree_with_mean(name: str, tiny: Points) -> None:
    predictor = small(name).fit(tiny, generator=generator_for("fit"))
    prediction = predictor.predict(tiny.x, generator=generator_for("p"), keep_samples=True)
    if prediction.samples is not None:
        assert prediction.samples.shape[1:] == tiny.y.shape
        # exactly where they make the mean, up to their own noise where it is known in closed form
        off = (prediction.samples.mean(0) - prediction.mean).abs()
        limit = 1e-5 if name != "w_dropout_last_layer" else 5 * prediction.std / len(prediction.samples) ** 0.5
        assert (off <= limit).all()
    else:
        assert name in {"pu", "pu_evidential", "w_dropout_closed"}  # they have formulas, not samples
    assert predictor.predict(tiny.x, generator=generator_for("p")).samples is None


@every_method
def test_the_unit_of_y_comes_back_from_a_scaled_method(name: str, tiny: Points) -> None:
    in_cents = Points(tiny.x, 1000 + 100 * tiny.y)
    method = Scaled(method=small(name))
    predictors = [method.fit(points, generator=generator_for("fit")) for points in (tiny, in_cents)]
    euros, cents = (predictor.predict(tiny.x, generator=generator_for("p")) for predictor in predictors)
    torch.testing.assert_close(cents.mean, 1000 + 100 * euros.mean, rtol=1e-3, atol=1e-2)
    torch.testing.assert_close(cents.std, 100 * euros.std, rtol=1e-2, atol=1e-2)


@every_method
def test_method_and_predictor_survive_pickling(name: str, tiny: Points) -> None:
    method = small(name)
    assert pickle.loads(pickle.dumps(method)) == method
    predictor = method.fit(tiny, generator=generator_for("fit"))
    again = pickle.loads(pickle.dumps(predictor))
    one, other = (p.predict(tiny.x, generator=generator_for("p")) for p in (predictor, again))
    assert torch.equal(one.mean, other.mean)


@every_method
def test_progress_is_told(name: str, tiny: Points) -> None:
    told: list[tuple[int, int]] = []
    small(name).fit(tiny, generator=generator_for("fit"), progress=lambda *args: told.append(args))
    assert told[-1][0] == told[-1][1] > 0


@every_method
@pytest.mark.parametrize("count", ["n_samples", "n_members"])
def test_a_single_sample_or_member_has_no_spread_and_is_refused(name: str, count: str) -> None:
    if count in {field.name for field in dataclasses.fields(METHODS[name])}:  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=f"{count} of at least 2, got 1"):
            METHODS[name](**{count: 1})


@every_method
def test_noise_and_doubt_add_up_where_both_are_told(name: str, tiny: Points) -> None:
    prediction = predict(name, tiny)
    assert (prediction.aleatoric is None) == (prediction.epistemic is None)
    if prediction.aleatoric is not None and prediction.epistemic is not None:
        total = prediction.aleatoric.square() + prediction.epistemic.square()
        torch.testing.assert_close(total, prediction.std.square())
    assert (prediction.aleatoric is not None) == (name in {"mc_dropout", "pu_evidential", "pu_ensemble", "pu_mc"})
