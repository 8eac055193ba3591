import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from wdrop.export.agreement import agreement, floor_of, refuse_coarse_mean
from wdrop.prediction import Prediction


def told(mean: object, std: object) -> Prediction:
    return Prediction(torch.tensor(mean, dtype=torch.float64), torch.tensor(std, dtype=torch.float64))


def arrays(prediction: Prediction) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return prediction.mean.numpy().copy(), prediction.std.numpy().copy()


def test_each_target_is_judged_in_its_own_units() -> None:
    """One floor for all targets would let anything pass where the units are small."""
    reference = told([[1e6, 1e-3]] * 3, [[1e5, 1e-4]] * 3)
    mean, std = arrays(reference)
    std[1, 1] *= 1.5
    assert agreement((mean, std), reference, floor_of(reference)).judged == pytest.approx(0.5)


def test_a_std_far_below_the_typical_one_is_held_to_the_floor_and_told_as_it_is() -> None:
    reference = told([[5.0]] * 3, [[1.0], [1.0], [1e-4]])
    mean, std = arrays(reference)
    std[2] += 1e-6
    found = agreement((mean, std), reference, floor_of(reference))
    assert found.judged == pytest.approx(1e-5)
    assert found.std == pytest.approx(1e-2)


def test_a_mean_that_is_off_is_told_in_units_of_std() -> None:
    reference = told([[1e6]] * 3, [[2.0]] * 3)
    mean, std = arrays(reference)
    mean[0] += 1
    found = agreement((mean, std), reference, floor_of(reference))
    assert (found.judged, found.mean_in_std) == pytest.approx((1e-6, 0.5))


def test_zeros_agree_with_zeros_alone() -> None:
    reference = told([[0.0]], [[0.0]])
    zero = np.zeros((1, 1))
    assert agreement((zero, zero), reference, floor_of(reference)).judged == 0
    assert agreement((zero, zero + 1e-9), reference, floor_of(reference)).judged == np.inf
    assert agreement((zero, zero[0]), reference, floor_of(reference)).judged == np.inf
    assert agreement((zero * np.nan, zero), reference, floor_of(reference)).judged == np.inf


def test_a_mean_that_rounding_would_move_by_its_std_is_refused_by_name() -> None:
    reference = told([[1.0, 1e9 + 1.0]] * 2, [[0.1, 10.0]] * 2)
    refuse_coarse_mean(reference, "float64", floor_of(reference), ["price", "time"])
    with pytest.raises(ValueError, match=r"float32 is too coarse for the target 'time': rounding .* 0.1 of its std"):
        refuse_coarse_mean(reference, "float32", floor_of(reference), ["price", "time"])
