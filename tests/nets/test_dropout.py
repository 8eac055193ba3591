"""Networks whose dropout can be steered, and those that are refused by name."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import torch.nn.functional as F
from building import built
from torch import Tensor, nn
from torch.utils.checkpoint import CheckpointError, checkpoint

from wdrop import draw, predict, sample
from wdrop._random import generator_for
from wdrop.nets.dropout import dropout_modules


class Functional(nn.Module):
    def __init__(self, p: float = 0.3) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.p, self.training)


class Attention(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(x, x, x, dropout_p=0.2)


class InPlace(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.dropout_(x.clone(), 0.2, self.training)


class FunctionalAttention(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        eye, zero = torch.eye(4), torch.zeros(4)
        out, _ = F.multi_head_attention_forward(
            x, x, x, 4, 1, eye.repeat(3, 1), zero.repeat(3), None, None, False, 0.2, eye, zero, self.training
        )
        return out


class MyDropout(nn.Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return super().forward(input) + 1


def hidden(module: nn.Module) -> nn.Module:
    """A network with a proper dropout module and, deeper down, something that cannot be steered."""
    return nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1), nn.Sequential(nn.Linear(4, 4), module))


REFUSED = {
    "no dropout": (nn.Linear(4, 4), "Linear has no dropout modules"),
    "lstm": (nn.Sequential(nn.Dropout(0.1), nn.LSTM(4, 4, 2, dropout=0.1)), "LSTM '1' applies dropout of its own"),
    "attention": (hidden(nn.MultiheadAttention(4, 2, dropout=0.1)), "MultiheadAttention '2.1' applies dropout"),
    "transformer": (nn.TransformerEncoderLayer(4, 2, batch_first=True), "MultiheadAttention 'self_attn'"),
    "functional": (hidden(Functional()), r"Functional '2.1' calls dropout\(p=0.3\) inside its forward"),
    "functional attention": (hidden(Attention()), "Attention '2.1' calls scaled_dot_product_attention"),
    "in place": (hidden(InPlace()), "InPlace '2.1' calls dropout_"),
    "functional heads": (hidden(FunctionalAttention()), "FunctionalAttention '2.1' calls multi_head_attention_forward"),
    "own forward": (hidden(MyDropout(0.1)), "MyDropout '2.1' overrides the forward"),
}


@pytest.mark.parametrize("how", [draw, sample, predict])
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_steered_is_refused_by_name(case: str, how: object) -> None:
    net, message = REFUSED[case]
    x = torch.randn(5, 4, generator=generator_for("x"))
    arguments = {"n_samples": 3} if how is predict else {"n_draws" if how is draw else "n_samples": 3}
    with pytest.raises(ValueError, match=message):
        how(net, x, generator=generator_for("g"), **arguments)  # type: ignore[operator]


def test_a_root_with_functional_dropout_is_named_by_its_class() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.1)

        def forward(self, x: Tensor) -> Tensor:
            return F.alpha_dropout(self.drop(x), 0.2, self.training)

    with pytest.raises(ValueError, match=r"^Net calls alpha_dropout\(p=0.2\)"):
        sample(Net(), torch.ones(3, 2), 2, generator=generator_for("g"))


def test_dropout_functions_with_rate_zero_do_nothing_and_are_allowed() -> None:
    sample(built(lambda: hidden(Functional(0.0))), torch.ones(3, 4), 2, generator=generator_for("g"))
    net = built(lambda: nn.Sequential(nn.Dropout(0.1), nn.LSTM(4, 4), nn.MultiheadAttention(4, 2)))
    assert list(dropout_modules(net)) == ["0"]


def test_layers_choose_by_name() -> None:
    net = nn.Sequential(nn.ReLU(), nn.Dropout(0.1), nn.Sequential(nn.ReLU(), nn.Dropout2d(0.1)))
    assert list(dropout_modules(net)) == ["1", "2.1"]
    assert list(dropout_modules(net, ["2.1"])) == ["2.1"]
    with pytest.raises(ValueError, match=r"unknown dropout layer '2.2', did you mean '2.1'\?; known: 1, 2.1"):
        dropout_modules(net, ["2.2"])
    with pytest.raises(ValueError, match="at least one layer name"):
        dropout_modules(net, [])


@pytest.mark.parametrize("module", [nn.AlphaDropout(0.3), nn.FeatureAlphaDropout(0.3)])
def test_alpha_dropout_keeps_mean_and_variance_of_normal_units(module: nn.Module) -> None:
    h = torch.randn(100, 200, 3, generator=generator_for("normal"))
    out = sample(nn.Sequential(module), h, 20, generator=generator_for("g"))
    assert float(out.mean()) == pytest.approx(0, abs=0.02)
    assert float(out.std()) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize(
    ("module", "shape", "n_masks"),
    [
        (nn.Dropout(0.5), (6, 40), 40),
        (nn.Dropout(0.5), (6, 4, 5, 5), 100),
        (nn.Dropout1d(0.5), (6, 40, 7), 40),
        (nn.Dropout2d(0.5), (6, 40, 3, 3), 40),
        (nn.Dropout3d(0.5), (6, 40, 2, 2, 2), 40),
    ],
)
def test_units_or_whole_channels_are_dropped_and_the_rest_scaled(
    module: nn.Module, shape: tuple[int, ...], n_masks: int
) -> None:
    out = sample(nn.Sequential(module), torch.ones(shape), 400, generator=generator_for("g"))
    assert set(out.unique().tolist()) == {0.0, 2.0}
    by_row = out.view(400, 6, -1)
    assert torch.equal(by_row[:, 0], by_row[:, 5])  # one mask for all rows of a draw
    per_mask = by_row[:, 0].view(400, n_masks, -1)
    assert torch.equal(per_mask[..., 0], per_mask[..., -1])  # a channel lives or dies as a whole
    assert float(per_mask.mean()) == pytest.approx(1, abs=0.05)
    assert len(per_mask[..., 0].unique(dim=0)) > 390  # another mask in every draw


def test_channel_dropout_without_channels_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Dropout1d '0' expected \(n, channels, ...\), got \(6, 4\)"):
        sample(nn.Sequential(nn.Dropout1d(0.5)), torch.ones(6, 4), 2, generator=generator_for("g"))


@pytest.mark.parametrize("kind", [nn.Dropout, nn.AlphaDropout])
def test_rates_at_the_ends(kind: type[nn.Dropout]) -> None:
    x = torch.ones(3, 4)
    mixed = nn.Sequential(kind(0.0), nn.Dropout(0.5))
    assert set(sample(mixed, x, 20, generator=generator_for("g")).unique().tolist()) == {0.0, 2.0}
    assert not sample(nn.Sequential(kind(1.0)), x, 2, generator=generator_for("g")).any()
    with pytest.raises(ValueError, match=r"all dropout rates are 0 \(0\), hence there are no sub-networks"):
        sample(nn.Sequential(kind(0.0)), x, 2, generator=generator_for("g"))


class OnlyInTraining(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        return self.drop(x) if self.training else x


def test_dropout_that_is_never_called_is_an_error_and_not_a_std_of_zero() -> None:
    with pytest.raises(ValueError, match=r"none of the dropout modules \(drop\) was called"):
        sample(OnlyInTraining().train(), torch.ones(3, 4), 2, generator=generator_for("g"))


def test_lazy_modules_without_weights_are_refused() -> None:
    net = nn.Sequential(nn.Dropout(0.5), nn.LazyLinear(2))
    with pytest.raises(ValueError, match="lazy modules without weights yet"):
        sample(net, torch.ones(3, 4), 2, generator=generator_for("g"))


@pytest.mark.parametrize("reentrant", [True, False])
def test_gradient_checkpointing_is_refused_and_not_computed_wrong(reentrant: bool) -> None:
    class Checkpointed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))

        def forward(self, x: Tensor) -> Tensor:
            return checkpoint(self.body, x, use_reentrant=reentrant)

    net, x = built(Checkpointed), torch.ones(3, 4, requires_grad=True)
    if reentrant:
        with pytest.raises(ValueError, match=r"Dropout 'body.1' runs without gradients inside draw"):
            draw(net, x, 2, generator=generator_for("g"))
    else:  # torch itself notices
        with pytest.raises(CheckpointError):
            draw(net, x, 2, generator=generator_for("g")).sum().backward()


def test_a_module_under_two_names_has_one_mask_a_call_and_answers_to_both_names() -> None:
    drop = nn.Dropout(0.5)
    net = nn.Sequential(nn.Sequential(drop), nn.Sequential(drop))
    assert len(dropout_modules(net)) == 1
    assert list(dropout_modules(net, ["0.0"]).values()) == list(dropout_modules(net, ["1.0"]).values()) == [drop]
    out = sample(net, torch.ones(1, 400), 1, generator=generator_for("g"))
    assert set(out.unique().tolist()) == {0.0, 4.0}
    assert float((out > 0).float().mean()) == pytest.approx(0.25, abs=0.07)


def test_a_single_name_is_one_layer_and_not_its_letters() -> None:
    net = nn.Sequential(*[nn.ReLU() if i not in (1, 11) else nn.Dropout(0.5) for i in range(12)])
    assert list(dropout_modules(net, "11")) == ["11"]


def test_keyword_arguments_and_hooks_of_the_user_are_heeded() -> None:
    class Keyword(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.5)
            self.drop.register_forward_hook(lambda module, args, out: out + 10)

        def forward(self, x: Tensor) -> Tensor:
            return self.drop(input=x)

    out = sample(Keyword(), torch.ones(3, 40), 5, generator=generator_for("g"))
    assert set(out.unique().tolist()) == {0.0, 22.0}


def test_two_threads_may_share_a_network() -> None:
    net = built(lambda: nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1)))
    x = torch.ones(5, 4)
    expected = predict(net, x, n_samples=20, generator=generator_for("g"))
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(predict, net, x, n_samples=20, generator=generator_for("g")) for _ in range(40)]
    for future in futures:
        assert torch.equal(future.result().std, expected.std)
