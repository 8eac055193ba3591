import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.losses import squared_error
from wdrop.nets.held_out import hold_out
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import GuidedTraining, train_stack
from wdrop.prediction import Points


def noise(n: int) -> Points:
    """Nothing to learn: the longer one trains, the worse for rows held out."""
    generator = generator_for("noise", n)
    x, y = torch.randn(n, 3, generator=generator).double(), torch.randn(n, 1, generator=generator).double()
    return Points(x, y)


def mse(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
    return squared_error(stack.draw(x, 1, masks)[0], y)


def held_out_loss(stack: Stack, k: int, train: Points, seed: int, share: float) -> float:
    _, held = hold_out(train, share, seed)
    return float((stack.network(k)(held.x) - held.y).square().mean().detach())


def test_the_best_weights_are_kept_and_neighbours_do_not_matter() -> None:
    trains = [noise(80), noise(50)]
    net = MLP(width=30, dropout=0)
    settings = {"epochs": 2000, "batch_size": 20, "learning_rate": 1e-2, "held_out": 0.25}
    told: list[tuple[int, int]] = []
    guided = GuidedTraining(**settings, patience=4)  # type: ignore[arg-type]
    stopped = train_stack(mse, net, guided, trains, seeds=[1, 2], progress=lambda *args: told.append(args))
    assert len(told) < 30
    assert told[-1][0] == told[-1][1]
    never = train_stack(mse, net, GuidedTraining(**{**settings, "epochs": 400}, patience=10**6), trains, seeds=[1, 2])  # type: ignore[arg-type]
    for k, train in enumerate(trains):
        alone = train_stack(mse, net, guided, [train], seeds=[k + 1])
        for one, other in zip(stopped.network(k).parameters(), alone.network(0).parameters(), strict=True):
            torch.testing.assert_close(one, other, rtol=1e-7, atol=1e-9)
        # with endless patience the best of a longer training, which can only be better
        assert held_out_loss(never, k, train, k + 1, 0.25) <= held_out_loss(stopped, k, train, k + 1, 0.25) + 1e-9


def test_rows_are_held_out_once_and_some_are_left() -> None:
    points = noise(20)
    kept, held = hold_out(points, 0.1, seed=1)
    assert (len(kept), len(held)) == (18, 2)
    assert torch.cat([kept.y, held.y]).sort(0).values.equal(points.y.sort(0).values)
    with pytest.raises(ValueError, match="rows left to train on"):
        hold_out(points[:1], 0.1, seed=1)
