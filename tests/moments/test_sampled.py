"""`sample` and `predict(how="samples")`, for inference."""
# mypy: disable-error-code="operator, arg-type"
# torch types the attributes of modules as Tensor | Module

import copy

import pytest
import torch
from building import built
from torch import Tensor, nn

from wdrop import predict, sample
from wdrop._random import generator_for
from wdrop.nets.draws import DrawMasks, run_draws


def network() -> nn.Sequential:
    net = built(
        lambda: nn.Sequential(
            nn.Linear(3, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(20, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 2),
        )
    )  # fmt: skip
    net[1].running_mean.copy_(torch.randn(20, generator=generator_for("statistics")))
    return net


X = torch.randn(30, 3, generator=generator_for("x"))


def test_draws_are_the_networks_with_some_units_dropped() -> None:
    """Dropout before the last layer: every draw is one of the 2^6 sums of kept units, scaled by 1/(1-p)."""
    net = built(lambda: nn.Sequential(nn.Dropout(0.25), nn.Linear(6, 1, bias=False)))
    with torch.no_grad():
        net[1].weight.copy_(2.0 ** torch.arange(6))
    draws = sample(net, torch.ones(1, 6), 500, generator=generator_for("g")) * 0.75
    torch.testing.assert_close(draws, draws.round())
    assert draws.min() >= 0
    assert draws.round().max() <= 63
    assert draws.round().unique().numel() > 20


def test_mean_and_std_are_those_of_dropout() -> None:
    """One linear layer behind dropout: mean w·x, variance p/(1-p) Σ w² x², exactly."""
    net = built(lambda: nn.Sequential(nn.Dropout(0.2), nn.Linear(50, 1)))
    with torch.no_grad():
        net[1].weight.copy_(torch.randn(1, 50, generator=generator_for("w")))
        net[1].bias.zero_()
    x = torch.randn(4, 50, generator=generator_for("x"))
    prediction = predict(net, x, n_samples=20_000, generator=generator_for("g"))
    std = (0.25 * (net[1].weight * x).square().sum(1, keepdim=True)).sqrt().detach()
    torch.testing.assert_close(prediction.std, std, rtol=0.02, atol=0)
    assert ((prediction.mean - x @ net[1].weight.T).abs() < 5 * std / 20_000**0.5).all()


@pytest.mark.parametrize("chunk_size", [1, 7, 30, 100, 10**6])
def test_the_chunk_size_bounds_memory_and_nothing_else(chunk_size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    net, seen = network(), []
    whole = sample(net, X, 12, generator=generator_for("g"))

    def watched_run(net: nn.Module, x: Tensor, masks: DrawMasks) -> Tensor:
        seen.append(masks.n_draws * len(x))
        return run_draws(net, x, masks)

    monkeypatch.setattr("wdrop.moments.sampled.run_draws", watched_run)
    chunked = sample(net, X, 12, generator=generator_for("g"), chunk_size=chunk_size)
    torch.testing.assert_close(chunked, whole)
    assert max(seen) <= chunk_size
    assert sum(seen) == 12 * 30
    prediction = predict(net, X, n_samples=12, generator=generator_for("g"), chunk_size=chunk_size)
    torch.testing.assert_close(prediction.mean, whole.mean(0))
    torch.testing.assert_close(prediction.std, whole.std(0))


def test_what_a_draw_says_of_a_row_does_not_depend_on_the_other_rows() -> None:
    net = network()
    together = sample(net, X, 9, generator=generator_for("g"))
    alone = torch.cat([sample(net, row, 9, generator=generator_for("g")) for row in X.split(1)], 1)
    torch.testing.assert_close(together, alone)
    torch.testing.assert_close(sample(net, X.flip(0), 9, generator=generator_for("g")), together.flip(1))


def test_more_draws_begin_with_the_same_ones() -> None:
    net = network()
    few, many = (sample(net, X, n, generator=generator_for("g")) for n in (5, 50))
    torch.testing.assert_close(few, many[:5])


def test_one_mask_serves_all_rows_of_a_draw() -> None:
    out = sample(network(), torch.ones(5, 3), 9, generator=generator_for("g"))
    assert torch.equal(out, out[:, :1].expand_as(out))
    assert out[:, 0, 0].unique().numel() > 7


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_predicts_in_eval_mode_and_learns_nothing(training: bool) -> None:
    """A peer puts the whole network into train mode to switch dropout on: batch norm then trains on test data."""
    net = network().train(training)
    before = copy.deepcopy(net.state_dict())
    in_train = sample(net, X, 5, generator=generator_for("g"))
    for name, value in net.state_dict().items():
        assert torch.equal(before[name], value), name
    assert all(module.training is training for module in net.modules())
    torch.testing.assert_close(in_train, sample(net.eval(), X, 5, generator=generator_for("g")))


def test_layer_names_are_heeded() -> None:
    """A peer takes layer names and ignores them."""
    net = network()
    seen: list[Tensor] = []
    net[4].register_forward_hook(lambda module, args, out: seen.append(args[0]))
    last = sample(net, X, 9, generator=generator_for("g"), layers=["6"])
    expected = net.eval()[:4](X)
    torch.testing.assert_close(seen[0], expected)
    both = sample(net, X, 9, generator=generator_for("g"))
    assert not torch.allclose(last, both)


def test_modes_are_restored_after_an_exception() -> None:
    class Broken(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            raise ArithmeticError("broken")

    net = nn.Sequential(nn.Dropout(0.1), nn.BatchNorm1d(3), Broken())
    net[1].eval()
    modes = [module.training for module in net.modules()]
    for function in (sample, predict):
        with pytest.raises(ArithmeticError, match="broken"):
            function(net, X, generator=generator_for("g"))
        assert [module.training for module in net.modules()] == modes
        assert not any(module._forward_hooks or module._forward_pre_hooks for module in net.modules())


def test_no_gradients_are_kept() -> None:
    assert not sample(network(), X, 2, generator=generator_for("g")).requires_grad
    assert torch.is_grad_enabled()


def test_a_module_called_twice_has_two_masks() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.5)

        def forward(self, x: Tensor) -> Tensor:
            return torch.cat([self.drop(x), self.drop(x)], 1)

    first, second = sample(Twice(), torch.ones(1, 64), 1, generator=generator_for("g")).view(2, 64)
    assert not torch.equal(first, second)


def test_what_comes_before_the_first_dropout_runs_once_per_chunk_of_rows() -> None:
    net, calls = network(), []
    net[0].register_forward_hook(lambda module, args, out: calls.append(out.shape))
    sample(net, X, 100, generator=generator_for("g"))
    assert calls == [(30, 20)]


@pytest.mark.parametrize(("dtype", "mean"), [(torch.float32, 100.0), (torch.float64, 1e6)])
def test_large_means_lose_no_spread(dtype: torch.dtype, mean: float) -> None:
    """Mean 100, std 1e-3 in single precision: a difference of squares is NaN in a third of the cases."""
    net = built(lambda: nn.Sequential(nn.Dropout(0.5), nn.Linear(40, 1)).to(dtype))
    with torch.no_grad():
        net[1].weight.fill_(1e-3 / 40**0.5)
        net[1].bias.fill_(mean)
    prediction = predict(net, torch.ones(3, 40, dtype=dtype), n_samples=5000, generator=generator_for("g"))
    assert prediction.std.flatten().tolist() == pytest.approx([1e-3] * 3, rel=0.05)


def test_predict_gives_mean_and_unbiased_std_and_keeps_no_samples() -> None:
    net = network()
    draws = sample(net, X, 50, generator=generator_for("g"))
    prediction = predict(net, X, how="samples", n_samples=50, generator=generator_for("g"))
    assert prediction.samples is None
    torch.testing.assert_close(prediction.mean, draws.mean(0))
    torch.testing.assert_close(prediction.std, draws.std(0, correction=1))


def test_pictures_go_in_smaller_chunks_than_rows_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    net, seen = nn.Sequential(nn.Dropout2d(0.1)), []

    def watched_run(net: nn.Module, x: Tensor, masks: DrawMasks) -> Tensor:
        seen.append(masks.n_draws * x.numel())
        return run_draws(net, x, masks)

    monkeypatch.setattr("wdrop.moments.sampled.run_draws", watched_run)
    sample(net, torch.ones(10, 3, 64, 64), 40, generator=generator_for("g"))
    assert max(seen) <= 2**21


def test_wide_networks_go_in_smaller_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    net, seen = built(lambda: nn.Sequential(nn.Linear(1, 4096), nn.Dropout(0.1), nn.Linear(4096, 1))), []

    def watched_run(net: nn.Module, x: Tensor, masks: DrawMasks) -> Tensor:
        seen.append(masks.n_draws * len(x) * 4096)
        return run_draws(net, x, masks)

    monkeypatch.setattr("wdrop.moments.sampled.run_draws", watched_run)
    sample(net, torch.ones(600, 1), 2, generator=generator_for("g"))
    assert max(seen) <= 2**21


def test_rows_of_different_shape_cannot_share_a_mask() -> None:
    class AsLongAsTheBatch(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.5)

        def forward(self, x: Tensor) -> Tensor:
            return self.drop(x.repeat(1, len(x)))[:, :1]

    with pytest.raises(ValueError, match=r"dropout 'drop' sees \(9,\) in a row and saw \(12,\) before"):
        sample(AsLongAsTheBatch(), X[:7], 2, generator=generator_for("g"), chunk_size=4)


def test_a_buffer_that_the_network_replaces_survives() -> None:
    class MovingAverage(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.5)
            self.average: Tensor
            self.register_buffer("average", torch.zeros(3))

        def forward(self, x: Tensor) -> Tensor:
            x = self.drop(x)
            self.average = 0.9 * self.average + 0.1 * x.mean(0)
            return x

    net = MovingAverage()
    sample(net, X, 3, generator=generator_for("g"))
    assert copy.deepcopy(net).average.isfinite().all()
    assert net.eval()(X).shape == X.shape


def test_wrong_calls_are_refused() -> None:
    net = network()
    with pytest.raises(ValueError, match=r"unknown way to predict 'sample', did you mean 'samples'\?"):
        predict(net, X, how="sample")
    with pytest.raises(ValueError, match="n_samples of at least 2, got 1"):
        predict(net, X, n_samples=1)
    with pytest.raises(ValueError, match="chunk_size of at least 1, got 0"):
        sample(net, X, 3, chunk_size=0)
    with pytest.raises(ValueError, match=r"at least one row, got x \(0, 3\)"):
        sample(net, X[:0], 3, generator=generator_for("g"))
    with pytest.raises(TypeError, match=r"expected x as one tensor \(n, ...\), got list"):
        sample(net, X.tolist(), 3)
    with pytest.raises(TypeError, match=r"one tensor \(n, d\), got tuple"):
        sample(built(lambda: nn.Sequential(nn.Dropout(0.1), nn.LSTM(3, 3))), X, 3, generator=generator_for("g"))
