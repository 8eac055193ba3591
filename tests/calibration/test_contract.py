"""What every calibration keeps to; a new entry of CALIBRATIONS is found by itself."""

import dataclasses
import inspect
import pickle

import pytest
import torch
from torch import Tensor

import wdrop.calibration
from wdrop._random import generator_for
from wdrop.calibration import CALIBRATIONS, Calibration
from wdrop.prediction import Prediction

every_calibration = pytest.mark.parametrize("name", CALIBRATIONS)
FACTORS = torch.tensor([0.5, 3.0])


def too_bold(n: int = 400) -> tuple[Prediction, Tensor]:
    """Two targets whose noise is half and three times what std says."""
    generator = generator_for("too bold", n)
    std = torch.rand(n, 2, generator=generator) + 0.5
    mean = torch.randn(n, 2, generator=generator)
    return Prediction(mean, std), mean + FACTORS * std * torch.randn(n, 2, generator=generator)


def test_every_calibration_is_listed_under_the_name_of_its_file() -> None:
    found = {
        value
        for value in vars(wdrop.calibration).values()
        if inspect.isclass(value) and issubclass(value, Calibration) and value is not Calibration
    }
    assert found == set(CALIBRATIONS.values())
    for name, calibration in CALIBRATIONS.items():
        assert calibration.__module__ == f"wdrop.calibration.{name}"


@every_calibration
def test_each_target_gets_its_own_std(name: str) -> None:
    prediction, y = too_bold()
    mended = CALIBRATIONS[name].of(prediction, y).apply(prediction)
    torch.testing.assert_close((mended.std / prediction.std).mean(0), FACTORS, rtol=0.15, atol=0)
    assert mended.std.dtype == prediction.std.dtype


@every_calibration
def test_intervals_and_quantiles_hold_what_they_promise(name: str) -> None:
    prediction, y = too_bold()
    calibration = CALIBRATIONS[name].of(prediction, y)
    lower, upper = calibration.interval(prediction, 0.8)
    torch.testing.assert_close(((lower <= y) & (y <= upper)).float().mean(0), torch.full((2,), 0.8), atol=0.06, rtol=0)
    low, high = calibration.quantiles(prediction, [0.25, 0.9])
    torch.testing.assert_close((y <= low).float().mean(0), torch.full((2,), 0.25), atol=0.07, rtol=0)
    torch.testing.assert_close((y <= high).float().mean(0), torch.full((2,), 0.9), atol=0.05, rtol=0)


@every_calibration
def test_a_weight_of_zero_leaves_a_point_out_whatever_it_says(name: str) -> None:
    prediction, y = too_bold()
    weight = torch.ones_like(y)
    weight[::3, 0] = 0
    spoilt = y.clone()
    spoilt[::3, 0] = torch.nan
    one = CALIBRATIONS[name].of(prediction, spoilt, weight).apply(prediction)
    alone = Prediction(prediction.mean[weight[:, 0] > 0], prediction.std[weight[:, 0] > 0])
    other = CALIBRATIONS[name].of(alone, y[weight[:, 0] > 0]).apply(prediction)
    # isotonic's knots may lie elsewhere; its mean and std may not
    torch.testing.assert_close(one.std[:, 0], other.std[:, 0], rtol=1e-6, atol=0)


@pytest.mark.parametrize("name", ["scale", "robust_scale", "quantile_scale", "added_noise", "robust_added_noise"])
def test_a_prediction_without_any_error_keeps_its_std(name: str) -> None:
    prediction, _ = too_bold(37)
    assert torch.equal(CALIBRATIONS[name].of(prediction, prediction.mean).apply(prediction).std, prediction.std)


@every_calibration
def test_weights_count(name: str) -> None:
    prediction, y = too_bold()
    y = torch.where(torch.arange(len(y)).unsqueeze(1) < 200, y, prediction.mean + 3 * (y - prediction.mean))
    early = (torch.arange(len(y)) < 200).double().unsqueeze(1).expand_as(y)
    small, equal, large = (
        CALIBRATIONS[name].of(prediction, y, weight).apply(prediction).std.mean()
        for weight in (1 + 9 * early, None, 10 - 9 * early)
    )
    assert small < 0.8 * equal < 0.8 * 0.8 * large
    again = CALIBRATIONS[name].of(prediction, y, 7 * (1 + 9 * early)).apply(prediction).std.mean()
    torch.testing.assert_close(again, small)  # only their ratios tell


@every_calibration
def test_parts_and_samples_follow_std(name: str) -> None:
    prediction, y = too_bold()
    samples = prediction.mean + prediction.std * torch.tensor([-1.0, 0.0, 1.0]).view(3, 1, 1)
    parts = Prediction(prediction.mean, prediction.std, samples, 0.6 * prediction.std, 0.8 * prediction.std)
    mended = CALIBRATIONS[name].of(prediction, y).apply(parts)
    assert mended.aleatoric is not None
    assert mended.epistemic is not None
    assert mended.samples is not None
    torch.testing.assert_close(torch.hypot(mended.aleatoric, mended.epistemic), mended.std)
    torch.testing.assert_close(mended.samples.std(0), mended.std)
    torch.testing.assert_close(mended.samples.mean(0), mended.mean)


@every_calibration
def test_state_and_pickle_bring_back_the_same_map(name: str) -> None:
    prediction, y = too_bold(37)
    calibration = CALIBRATIONS[name].of(prediction, y)
    assert all(isinstance(tensor, Tensor) for tensor in calibration.state().values())
    for again in (CALIBRATIONS[name].from_state(calibration.state()), pickle.loads(pickle.dumps(calibration))):
        assert torch.equal(again.apply(prediction).std, calibration.apply(prediction).std)
        ends, before = again.interval(prediction), calibration.interval(prediction)
        assert torch.equal(torch.stack(ends), torch.stack(before))


@every_calibration
def test_a_map_cast_to_single_precision_says_the_same(name: str) -> None:
    prediction, y = too_bold(37)
    calibration = CALIBRATIONS[name].of(prediction, y)
    single = CALIBRATIONS[name].from_state({key: value.float() for key, value in calibration.state().items()})
    torch.testing.assert_close(torch.stack(single.interval(prediction)), torch.stack(calibration.interval(prediction)))
    torch.testing.assert_close(single.apply(prediction).std, calibration.apply(prediction).std)


@every_calibration
def test_a_state_with_wrong_names_is_refused(name: str) -> None:
    calibration = CALIBRATIONS[name].of(*too_bold(37))
    with pytest.raises(ValueError, match=r"unknown tensor of .* 'strange'"):
        CALIBRATIONS[name].from_state({**calibration.state(), "strange": torch.zeros(1)})
    with pytest.raises(ValueError, match="expected the tensors"):
        CALIBRATIONS[name].from_state({})


@every_calibration
def test_a_calibration_is_a_frozen_final_dataclass_with_a_docstring(name: str) -> None:
    kind = CALIBRATIONS[name]
    assert dataclasses.is_dataclass(kind)
    assert getattr(kind, "__final__", False)
    assert kind.__doc__


@every_calibration
def test_wrong_use_is_told(name: str) -> None:
    prediction, y = too_bold(37)
    kind = CALIBRATIONS[name]
    with pytest.raises(ValueError, match=r"equal shapes, got mean \(37, 2\), y \(37,\)"):
        kind.of(prediction, y[:, 0])
    with pytest.raises(ValueError, match=r"weights of at least 0, got -1\.0"):
        kind.of(prediction, y, -torch.ones_like(y))
    with pytest.raises(ValueError, match="a target without any"):
        kind.of(prediction, y, torch.tensor([1.0, 0.0]).expand_as(y))
    with pytest.raises(ValueError, match="1 NaN or infinite of 74 in residuals"):
        kind.of(prediction, y.index_fill(0, torch.tensor([3]), torch.nan).where(torch.tensor([True, False]), y))
    with pytest.raises(ValueError, match="a level between 0 and 1, got 90"):
        kind.of(prediction, y).interval(prediction, 90)
