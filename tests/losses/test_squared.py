import pytest
import torch

from wdrop.losses import squared_error


def test_it_is_the_squared_distance() -> None:
    assert squared_error(torch.tensor([[3.0]]), torch.tensor([[1.0]])).tolist() == [[4.0]]


def test_shapes_that_would_broadcast_are_refused() -> None:
    with pytest.raises(ValueError, match="expected equal shapes"):
        squared_error(torch.zeros(3, 1), torch.zeros(3))
