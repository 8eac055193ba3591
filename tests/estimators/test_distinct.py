import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop.estimators.distinct import distinct_points
from wdrop.prediction import Points


def equal(one: Points, other: Points) -> bool:
    weights = one.weight is None and other.weight is None
    if one.weight is not None and other.weight is not None:
        weights = torch.equal(one.weight, other.weight)
    return torch.equal(one.x, other.x) and torch.equal(one.y, other.y) and weights


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=20), st.randoms()
)
def test_order_and_repetition_are_nothing(rows: list[tuple[int, int, int]], random: object) -> None:
    table = np.array(rows, dtype=np.float64)
    x, y, weight = table[:, :1], table[:, 1:2], table[:, 2]
    if weight.sum() == 0:
        return
    repeated = np.repeat(np.arange(len(x)), weight.astype(int))
    random.shuffle(repeated)  # type: ignore[attr-defined]
    assert equal(distinct_points(x, y, weight), distinct_points(x[repeated], y[repeated], None))


def test_rows_stand_for_what_they_were() -> None:
    x, y = np.array([[1.0], [2.0], [1.0], [-0.0]]), np.array([[5.0, np.nan], [6.0, 1.0], [5.0, np.nan], [7.0, 3.0]])
    points = distinct_points(x, y, None)
    assert len(points) == 3
    assert points.size == 0.5 * (4 + 2)
    assert points.weight is not None
    row = points.x[:, 0] == 1
    assert points.weight[row].tolist() == [[2.0, 0.0]]
    assert points.y[row].tolist() == [[5.0, 2.0]]  # the gap is filled by the mean of what was seen


def test_without_weights_and_repetition_there_are_no_weights() -> None:
    x = np.arange(6.0)[:, None]
    assert distinct_points(x, x, None).weight is None
    assert distinct_points(x, x, np.ones(6)).weight is None


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one row with a target and a weight above 0"):
        distinct_points(np.ones((2, 1)), np.array([[np.nan], [1.0]]), np.array([1.0, 0.0]))
