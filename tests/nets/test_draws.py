"""`draw`, for training."""
# mypy: disable-error-code="operator, arg-type"
# torch types the attributes of modules as Tensor | Module

import copy

import pytest
import torch
from building import built
from torch import Tensor, nn

from wdrop import draw, wasserstein_dropout_loss
from wdrop._random import generator_for

X = torch.randn(8, 4, generator=generator_for("x"))


def mlp(*behind: nn.Module) -> nn.Sequential:
    return built(lambda: nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), *behind, nn.Linear(16, 2)))


def test_every_row_of_every_draw_has_a_mask_of_its_own() -> None:
    out = draw(nn.Sequential(nn.Dropout(0.5)), torch.ones(8, 64), 5, generator=generator_for("g"))
    assert out.shape == (5, 8, 64)
    assert set(out.unique().tolist()) == {0.0, 2.0}
    assert len(out.flatten(0, 1).unique(dim=0)) == 40


def test_the_generator_decides_everything() -> None:
    first, again, other = (draw(mlp(), X, 3, generator=generator_for(name)) for name in ("a", "a", "b"))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.moves_global_stream
def test_without_a_generator_torchs_global_stream_decides() -> None:
    torch.manual_seed(0)
    first = draw(mlp(), X, 3)
    assert not torch.equal(first, draw(mlp(), X, 3))
    torch.manual_seed(0)
    assert torch.equal(first, draw(mlp(), X, 3))


@pytest.mark.parametrize("training", [True, False])
def test_modes_are_untouched_and_dropout_is_always_on(training: bool) -> None:
    net = mlp(nn.BatchNorm1d(16)).train(training)
    net[3].eval()
    modes = [module.training for module in net.modules()]
    out = draw(net, X, 5, generator=generator_for("g"))
    assert [module.training for module in net.modules()] == modes
    assert float(out.detach().std(0).min()) > 0


def test_modes_are_restored_after_an_exception() -> None:
    class Broken(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            raise ArithmeticError("broken")

    net = mlp(Broken()).train()
    with pytest.raises(ArithmeticError, match="broken"):
        draw(net, X, 2, generator=generator_for("g"))
    assert all(module.training for module in net.modules())
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in net.modules())


def test_a_network_that_cannot_be_vectorised_gives_the_same_draws_and_gradients() -> None:
    class ReadsANumber(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x * (1 if x.sum().item() > -1e9 else 2)  # .item() is beyond vmap

    results = []
    for net in (mlp(nn.Identity()).double(), mlp(ReadsANumber()).double()):
        out = draw(net, X.double(), 4, generator=generator_for("g"))
        wasserstein_dropout_loss(out, torch.zeros(8, 2, dtype=torch.float64)).mean().backward()
        results.append([out, *(parameter.grad for parameter in net.parameters())])
    for vectorised, looped in zip(*results, strict=True):
        torch.testing.assert_close(vectorised, looped)
        assert vectorised is not None
        assert vectorised.abs().sum() > 0


def test_what_comes_before_the_first_dropout_runs_once() -> None:
    calls: list[tuple[int, ...]] = []
    net = mlp()
    net[0].register_forward_hook(lambda module, args, out: calls.append(tuple(out.shape)))
    draw(net, X, 50, generator=generator_for("g"))
    assert calls == [(8, 16)]


def test_batch_norm_in_training_mode_behind_dropout_updates_its_statistics_once_per_draw() -> None:
    net = mlp(nn.BatchNorm1d(16)).train()
    before = copy.deepcopy(net[3].running_mean)
    out = draw(net, X, 3, generator=generator_for("g"))
    assert out.shape == (3, 8, 2)
    assert int(net[3].num_batches_tracked) == 3
    assert not torch.equal(before, net[3].running_mean)


def test_layers_keep_the_other_dropouts_quiet() -> None:
    net = built(lambda: nn.Sequential(nn.Dropout(0.5), nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 1)))
    seen: list[Tensor] = []
    net[1].register_forward_hook(lambda module, args, out: seen.append(args[0]))
    draw(net, X, 3, generator=generator_for("g"), layers=["2"])
    assert torch.equal(seen[0], X)


def test_a_batch_that_is_not_first_is_refused() -> None:
    class Transposed(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.T

    net = nn.Sequential(Transposed(), nn.Dropout(0.1), Transposed())
    with pytest.raises(ValueError, match=r"dropout '1' expected one entry per row first, \(8, ...\), got \(4, 8\)"):
        draw(net, X, 2, generator=generator_for("g"))


def test_flat_outputs_are_refused() -> None:
    net = built(lambda: nn.Sequential(nn.Linear(4, 1), nn.Dropout(0.1), nn.Flatten(0)))
    with pytest.raises(ValueError, match=r"to return \(8, d\), got \(8,\); keep d also when d = 1"):
        draw(net, X, 2, generator=generator_for("g"))


def test_no_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="n_draws of at least 1, got 0"):
        draw(mlp(), X, 0)


def test_an_error_of_the_network_itself_comes_through() -> None:
    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        draw(mlp(), torch.ones(8, 5), 2, generator=generator_for("g"))
