import inspect
import json
from importlib import import_module
from pathlib import Path

import pytest
import torch
from methods.test_contract import small
from torch import nn

import wdrop.methods
from wdrop._random import generator_for
from wdrop.calibration import CALIBRATIONS, Calibration
from wdrop.methods import METHODS, Method, Scaled
from wdrop.methods.calibrated import IntervalPredictor
from wdrop.methods.cross_fitted import CrossFitted
from wdrop.methods.packing import KINDS, Packed, cast, pack, unpack
from wdrop.methods.precision import SinglePrecision
from wdrop.prediction import Points, Prediction, Predictor


def through_json(packed: Packed) -> Packed:
    return Packed(json.loads(json.dumps(packed.tree, allow_nan=False)), packed.tensors)


def same(one: Prediction, other: Prediction) -> bool:
    return torch.equal(one.mean, other.mean) and torch.equal(one.std, other.std)


@pytest.mark.parametrize("name", METHODS)
def test_every_predictor_comes_back_equal_to_the_bit(name: str, tiny: Points) -> None:
    predictor = Scaled(method=small(name)).fit(tiny, generator=generator_for("fit"))
    again = unpack(through_json(pack(predictor)))
    assert type(again) is type(predictor)
    assert same(*(p.predict(tiny.x, generator=generator_for("p")) for p in (predictor, again)))
    assert again.facts == predictor.facts


@pytest.mark.parametrize("calibration", [*CALIBRATIONS, "cv_plus"])
def test_every_calibration_comes_back_with_its_predictor(calibration: str, tiny: Points) -> None:
    method: Method = Scaled(method=SinglePrecision(method=small("pu")))
    predictor = CrossFitted(method=method, calibration=calibration).fit(
        tiny.to(torch.float64), generator=generator_for("fit")
    )
    again = unpack(through_json(pack(predictor)))
    assert same(*(p.predict(tiny.x.double(), generator=generator_for("p")) for p in (predictor, again)))
    assert isinstance(predictor, IntervalPredictor)
    uppers = [p.interval(tiny.x.double(), 0.8, generator=generator_for("p")).upper for p in (predictor, again)]
    assert torch.equal(*uppers)


def test_no_predictor_and_no_calibration_is_forgotten() -> None:
    folder = Path(wdrop.methods.__file__).parent
    modules = [import_module(f"wdrop.methods.{path.stem}") for path in folder.glob("[a-z]*.py")]
    found = {
        value
        for module in modules
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Predictor | Calibration)
        and not inspect.isabstract(value)
        and value.__module__.startswith("wdrop.")
    }
    assert found <= set(KINDS.values()), f"add to KINDS: {found - set(KINDS.values())}"


def test_in_double_precision_it_says_the_same_and_no_more_depends_on_the_batch(tiny: Points) -> None:
    points = tiny.to(torch.float64)
    single = Scaled(method=SinglePrecision(method=small("w_dropout"))).fit(points, generator=generator_for("fit"))
    double = cast(single, torch.float64)
    one, other = (p.predict(points.x, generator=generator_for("p")) for p in (single, double))
    torch.testing.assert_close(one.mean, other.mean, rtol=1e-4, atol=1e-5)
    few = double.predict(points.x[7:9], generator=generator_for("p"))
    torch.testing.assert_close(few.std, other.std[7:9], rtol=1e-12, atol=1e-12)


def test_single_precision_keeps_the_digits_of_large_targets(tiny: Points) -> None:
    late = Points(tiny.x.double(), 1.7e9 + tiny.y.double())
    predictor = Scaled(method=SinglePrecision(method=small("pu", epochs=300))).fit(late, generator=generator_for("f"))
    error = predictor.predict(late.x).mean - late.y
    assert error.square().mean() < 0.5 * tiny.y.var()


def test_what_is_not_ours_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="Conv2d cannot be saved"):
        pack(nn.Sequential(nn.Conv2d(1, 1, 1, device="meta")))
    with pytest.raises(ValueError, match="unknown kind of part 'Sclaer', did you mean 'Scale"):
        unpack(Packed({"kind": "Sclaer", "fields": {}}, {}))


def test_numbers_that_json_lacks_survive() -> None:
    tree = through_json(pack([float("inf"), 0.1, None, True, "x"]))
    assert unpack(tree) == [float("inf"), 0.1, None, True, "x"]
