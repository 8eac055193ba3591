import pytest
import torch
from torch import Tensor, nn

from wdrop._random import generator_for
from wdrop.losses import squared_error, wasserstein_dropout_loss
from wdrop.nets import training
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Training, device_for, train_stack
from wdrop.prediction import Points


def some_points(n: int, name: str = "points", dtype: torch.dtype = torch.float64) -> Points:
    generator = generator_for(name, n)
    x = torch.randn(n, 3, generator=generator, dtype=dtype)
    return Points(x, x[:, :1] + torch.randn(n, 1, generator=generator, dtype=dtype))


def w_loss(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
    return wasserstein_dropout_loss(stack.draw(x, 5, masks), y)


def mse(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
    return squared_error(stack.draw(x, 1, masks)[0], y)


def weights_of(stack: Stack, k: int) -> Tensor:
    return torch.cat([parameter[k].detach().flatten() for parameter in stack.parameters()])


def test_a_network_alone_and_in_a_stack_agree() -> None:
    """Float64, 50 steps, folds of different size: some networks finish earlier and leave the stack."""
    trains = [some_points(n) for n in (100, 130, 51, 100)]
    settings = MLP(width=20), Training(epochs=10, batch_size=20)
    together = train_stack(w_loss, *settings, trains, seeds=[1, 2, 3, 4])
    for k, train in enumerate(trains):
        alone = train_stack(w_loss, *settings, [train], seeds=[k + 1])
        assert (weights_of(alone, 0) - weights_of(together, k)).abs().max() < 1e-9


def test_a_large_stack_is_trained_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    trains, seeds = [some_points(n) for n in (60, 40, 60, 80, 60)], [1, 2, 3, 4, 5]
    settings = MLP(width=20), Training(epochs=5, batch_size=20)
    at_once = train_stack(w_loss, *settings, trains, seeds=seeds)
    sizes: list[int] = []

    def noting_size(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        sizes.append(len(x))
        return w_loss(stack, x, y, masks)

    monkeypatch.setattr(training, "_UNITS_AT_ONCE", 2 * 20 * 20)
    in_parts = train_stack(noting_size, *settings, trains, seeds=seeds)
    assert max(sizes) == 2
    for k in range(len(trains)):
        assert (weights_of(at_once, k) - weights_of(in_parts, k)).abs().max() < 1e-9


def test_a_set_smaller_than_the_batch_trains_whole_and_changes_nobody() -> None:
    trains = [some_points(60), some_points(8)]
    settings = MLP(width=20), Training(epochs=5, batch_size=20)
    together = train_stack(w_loss, *settings, trains, seeds=[1, 2])
    for k, train in enumerate(trains):
        alone = train_stack(w_loss, *settings, [train], seeds=[k + 1])
        assert (weights_of(alone, 0) - weights_of(together, k)).abs().max() < 1e-9


def test_it_is_adam_on_shuffled_batches_with_the_incomplete_one_dropped() -> None:
    """Against a plain PyTorch loop with the same initial weights and order of rows."""
    train, training = some_points(53), Training(epochs=4, batch_size=10, weight_decay=1e-2, learning_rate=3e-3)
    net = MLP(width=12, dropout=0)
    ours = train_stack(mse, net, training, [train], seeds=[7])

    generators = [generator_for(7, "weights")]
    plain = Stack.initial(net, 3, 1, generators=generators, dtype=torch.float64).network(0).train()
    adam = torch.optim.Adam(plain.parameters(), lr=3e-3, weight_decay=1e-2)
    order = generator_for(7, "order")
    for _ in range(4):
        for rows in torch.randperm(53, generator=order)[:50].view(5, 10):
            adam.zero_grad()
            nn.functional.mse_loss(plain(train.x[rows]), train.y[rows]).backward()
            adam.step()
    for mine, theirs in zip(ours.network(0).parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_progress_ends_at_the_total() -> None:
    told: list[tuple[int, int]] = []
    trains = [some_points(200), some_points(90), some_points(5)]
    train_stack(mse, MLP(width=5), Training(epochs=20, batch_size=10), trains, seeds=[1, 2, 3],
                progress=lambda *args: told.append(args))  # fmt: skip
    assert told[-1] == (420, 420)  # the longest of the stack, and the small set by itself
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_float32_stays_float32() -> None:
    train = some_points(50, dtype=torch.float32)
    assert train_stack(mse, MLP(width=5), Training(epochs=1), [train], seeds=[1]).weights[0].dtype == torch.float32


def test_sets_of_different_width_are_refused() -> None:
    narrow = Points(torch.zeros(10, 2, dtype=torch.float64), torch.zeros(10, 1, dtype=torch.float64))
    with pytest.raises(ValueError, match="equally many features and targets in one stack"):
        train_stack(mse, MLP(), Training(), [some_points(10), narrow], seeds=[1, 2])


def test_nothing_to_train_on_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one set"):
        train_stack(mse, MLP(), Training(), [], seeds=[])
    with pytest.raises(ValueError, match="at least one point to train on"):
        train_stack(mse, MLP(), Training(), [some_points(10)[:0]], seeds=[1])


def test_auto_is_a_gpu_if_there_is_one() -> None:
    assert device_for("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert device_for("cpu").type == "cpu"


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_it_trains_on_a_gpu_and_the_network_comes_back() -> None:
    train = some_points(50, dtype=torch.float32)
    stack = train_stack(w_loss, MLP(width=5), Training(epochs=2, device="cuda"), [train], seeds=[1])
    assert stack.network(0)(train.x).device.type == "cpu"


def weighted(points: Points, weight: Tensor) -> Points:
    return Points(points.x, points.y, weight)


def test_in_one_batch_a_weight_is_a_count() -> None:
    """Without dropout, on all rows at once, the gradient of a repeated row is twice that of one."""
    train, counts = some_points(12), torch.tensor([0, 1, 2] * 4)
    settings = MLP(width=8, dropout=0), Training(epochs=20, batch_size=100)
    repeated = train_stack(mse, *settings, [train[torch.arange(12).repeat_interleave(counts)]], seeds=[1])
    ours = train_stack(mse, *settings, [weighted(train, counts[:, None].double())], seeds=[1])
    torch.testing.assert_close(weights_of(ours, 0), weights_of(repeated, 0), rtol=1e-6, atol=1e-8)


def test_weights_of_one_set_change_nothing_for_the_others() -> None:
    trains = [
        some_points(60),
        weighted(some_points(60, "other"), torch.rand(60, 1, generator=generator_for("w")).double()),
    ]
    settings = MLP(width=8), Training(epochs=3, batch_size=20)
    together = train_stack(w_loss, *settings, trains, seeds=[1, 2])
    for k, train in enumerate(trains):
        alone = train_stack(w_loss, *settings, [train], seeds=[k + 1])
        assert (weights_of(alone, 0) - weights_of(together, k)).abs().max() < 1e-9
    ones = train_stack(w_loss, *settings, [weighted(trains[0], torch.ones(60, 1).double())], seeds=[1])
    plain = train_stack(w_loss, *settings, [trains[0]], seeds=[1])
    assert torch.equal(weights_of(ones, 0), weights_of(plain, 0))


def test_no_weight_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="some weight above 0 to train on"):
        train_stack(mse, MLP(), Training(), [weighted(some_points(10), torch.zeros(10, 1).double())], seeds=[1])
