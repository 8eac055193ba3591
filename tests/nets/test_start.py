import pytest
import torch
from torch import Tensor, nn

from wdrop._random import generator_for
from wdrop.losses import squared_error
from wdrop.methods.concrete_dropout import learned_where_any
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, MakeDropout, Stack, fixed_dropout
from wdrop.nets.training import GuidedTraining, Training, train_stack
from wdrop.prediction import Points

X = torch.randn(30, 2, generator=generator_for("x"))
TRAIN = Points(X, X[:, :1])


def mse(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
    return squared_error(stack.draw(x, 1, masks)[0], y)


@pytest.mark.parametrize("dropout", [fixed_dropout, learned_where_any])
def test_training_goes_on_from_networks_that_are_there(dropout: MakeDropout) -> None:
    net = MLP(width=6)
    before = train_stack(mse, net, Training(epochs=5), [TRAIN, TRAIN], seeds=[1, 2], make_dropout=dropout)
    networks = tuple(before.network(k) for k in range(2))
    still = GuidedTraining(epochs=1, learning_rate=0.0, start=networks)
    after = train_stack(mse, net, still, [TRAIN, TRAIN], seeds=[3, 4], make_dropout=dropout)
    for one, other in zip(before.parameters(), after.parameters(), strict=True):
        assert torch.equal(one, other)


def test_networks_of_another_shape_or_number_are_refused() -> None:
    network = nn.Sequential(nn.Linear(2, 5, device="meta"), nn.ReLU(), nn.Linear(5, 1, device="meta"))
    with pytest.raises(ValueError, match=r"expected layers .* to start from, got \[\(2, 5\), \(5, 1\)\]"):
        train_stack(mse, MLP(width=6), GuidedTraining(epochs=1, start=(network,)), [TRAIN], seeds=[1])
    with pytest.raises(ValueError, match="expected 2 networks to start from, got 1"):
        train_stack(mse, MLP(width=6), GuidedTraining(epochs=1, start=(network,)), [TRAIN, TRAIN], seeds=[1, 2])
