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
