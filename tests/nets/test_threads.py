from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.threads import threads_for
from wdrop.nets.training import Training, train_stack
from wdrop.prediction import Points


@pytest.fixture(autouse=True)
def _two_threads() -> Iterator[None]:
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(1)


def test_small_products_get_one_thread_and_large_ones_all() -> None:
    with threads_for(1000 * 100 * 100):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    with threads_for(1000 * 1000 * 1000):
        assert torch.get_num_threads() == 2


def test_the_count_is_put_back_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), threads_for(1):
        raise ZeroDivisionError
    assert torch.get_num_threads() == 2


def test_training_takes_one_thread_and_gives_the_others_back() -> None:
    seen: list[int] = []

    def loss(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        seen.append(torch.get_num_threads())
        return (stack.draw(x, 1, masks)[0] - y).square()

    train = Points(torch.ones(20, 2), torch.ones(20, 1))
    train_stack(loss, MLP(width=8), Training(epochs=1, batch_size=10), [train], seeds=[0])
    assert seen == [1, 1]
    assert torch.get_num_threads() == 2
