import pytest
import torch

from wdrop.prediction import Points, Prediction


def test_flat_targets_are_refused_since_they_broadcast_in_silence() -> None:
    with pytest.raises(ValueError, match=r"expected y of shape \(n, d\), also when d = 1, got \(3,\)"):
        Points(torch.zeros(3, 2), torch.zeros(3))


def test_rows_must_agree() -> None:
    with pytest.raises(ValueError, match="as many rows in x as in y, got 3 and 4"):
        Points(torch.zeros(3, 2), torch.zeros(4, 1))


def test_nan_is_counted_and_named() -> None:
    y = torch.tensor([[0.0], [torch.nan], [torch.inf]])
    with pytest.raises(ValueError, match="got 2 NaN or infinite of 3 in y"):
        Points(torch.zeros(3, 2), y)


def test_integers_are_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"x as floating-point numbers, got torch.int64; use x.float\(\)"):
        Points(torch.zeros(3, 2, dtype=torch.int64), torch.zeros(3, 1))


def test_rows_of_points_are_points() -> None:
    points = Points(torch.arange(6.0).view(3, 2), torch.arange(3.0).view(3, 1))
    some = points[torch.tensor([2, 0])]
    assert len(some) == 2
    assert some.y.flatten().tolist() == [2, 0]


def test_mean_and_std_have_one_shape() -> None:
    with pytest.raises(ValueError, match=r"got mean \(5, 1\), std \(5,\); targets are \(n, d\), also when d = 1"):
        Prediction(torch.zeros(5, 1), torch.zeros(5))


def test_a_target_that_was_not_observed_has_weight_zero_and_the_mean_of_the_others() -> None:
    nan = float("nan")
    points = Points.with_gaps(torch.zeros(3, 1), torch.tensor([[1.0, nan], [3.0, 5.0], [nan, nan]]))
    assert points.y.tolist() == [[1.0, 5.0], [3.0, 5.0], [2.0, 5.0]]
    assert points.weight is not None
    assert points.weight.tolist() == [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    assert points.size == 1.5
    assert Points.with_gaps(torch.zeros(2, 1), torch.ones(2, 1)).weight is None


def test_weights_follow_their_rows_and_are_checked() -> None:
    points = Points(torch.zeros(3, 1), torch.zeros(3, 2), torch.arange(6.0).view(3, 2))
    part = points[torch.tensor([2])].to(torch.float64)
    assert part.weight is not None
    assert part.weight.tolist() == [[4.0, 5.0]]
    assert part.weight.dtype == torch.float64
    with pytest.raises(ValueError, match="expected equal shapes, got weight"):
        Points(torch.zeros(3, 1), torch.zeros(3, 2), torch.ones(3, 1))
    with pytest.raises(ValueError, match="expected weights of at least 0, got -1"):
        Points(torch.zeros(1, 1), torch.zeros(1, 1), -torch.ones(1, 1))
