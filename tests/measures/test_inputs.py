"""What every measure takes and refuses: run for each of them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop import evaluate
from wdrop.measures import MEASURES

RNG = np.random.default_rng(0)
MEAN, Y = RNG.normal(size=(2, 50, 3))
STD = RNG.uniform(0.5, 2, size=(50, 3))
every_measure = pytest.mark.parametrize("name", MEASURES)


@every_measure
def test_arrays_tensors_lists_and_single_precision_agree(name: str) -> None:
    function = MEASURES[name].function
    exact = function(MEAN, STD, Y)
    assert isinstance(exact, float)
    assert function(torch.tensor(MEAN, requires_grad=True), torch.tensor(STD), torch.tensor(Y)) == exact
    assert function(MEAN.tolist(), STD.tolist(), Y.tolist()) == exact
    single = [values.astype(np.float32) for values in (MEAN, STD, Y)]
    assert function(*single) == pytest.approx(exact, rel=1e-4)


@every_measure
def test_several_targets_give_the_mean_over_targets(name: str) -> None:
    function = MEASURES[name].function
    each = [function(MEAN[:, j], STD[:, j], Y[:, j]) for j in range(3)]
    assert function(MEAN, STD, Y) == pytest.approx(np.mean(each))
    assert function(MEAN[:, :1], STD[:, :1], Y[:, :1]) == each[0]


@every_measure
@given(shift=st.floats(-100, 100), seed=st.integers(0, 99))
def test_moving_mean_and_y_together_and_shuffling_rows_changes_nothing(name: str, shift: float, seed: int) -> None:
    function = MEASURES[name].function
    rows = np.random.default_rng(seed).permutation(50)
    moved = function(MEAN[rows] + shift, STD[rows], Y[rows] + shift)
    assert moved == pytest.approx(function(MEAN, STD, Y), rel=1e-6)


@every_measure
@given(scale=st.floats(1e-3, 1e3))
def test_the_unit_of_y_scales_errors_and_leaves_calibration_alone(name: str, scale: float) -> None:
    function = MEASURES[name].function
    value, scaled = function(MEAN, STD, Y), function(scale * MEAN, scale * STD, scale * Y)
    expected = {"rmse": scale * value, "crps": scale * value, "width": scale * value, "nll": value + np.log(scale)}
    assert scaled == pytest.approx(expected.get(name, value), rel=1e-6, abs=1e-9)


def changed(values: np.ndarray, to: float) -> np.ndarray:
    values = values.copy()
    values[3, 1] = to
    return values


@every_measure
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((MEAN, STD, Y[:, 0]), r"expected equal shapes, got mean \(50, 3\), std \(50, 3\), y \(50,\)"),
        ((MEAN[:0], STD[:0], Y[:0]), r"at least one point and target, got mean \(0, 3\)"),
        ((MEAN[None], STD[None], Y[None]), r"expected shape \(n,\) or \(n, d\), got mean \(1, 50, 3\)"),
        ((0.0, 1.0, 0.0), r"expected shape \(n,\) or \(n, d\), got mean \(\)"),
        ((changed(MEAN, np.nan), STD, Y), "got 1 NaN or infinite of 150 in mean"),
        ((MEAN, changed(STD, np.inf), Y), "got 1 NaN or infinite of 150 in std"),
        ((MEAN, STD, changed(Y, -np.inf)), "got 1 NaN or infinite of 150 in y"),
        ((MEAN, changed(STD, 0), Y), "expected std above 0, got 1 zero or negative of 150"),
        ((MEAN, changed(STD, -1), Y), "expected std above 0, got 1 zero or negative of 150"),
    ],
)
def test_wrong_input_is_refused_with_what_came(name: str, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MEASURES[name].function(*arguments)


@every_measure
def test_text_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="expected numbers in y, got <U1"):
        MEASURES[name].function([0.0], [1.0], ["a"])


def test_evaluate_gives_them_all() -> None:
    scores = evaluate(MEAN, STD, Y)
    assert list(scores) == list(MEASURES)
    assert all(scores[name] == MEASURES[name].function(MEAN, STD, Y) for name in MEASURES)
