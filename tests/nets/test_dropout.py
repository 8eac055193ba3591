"""Networks whose dropout can be steered, and those that are refused by name."""

import pytest
import torch
import torch.nn.functional as F
from building import built
from torch import Tensor, nn

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
    assert torch.equal(sample(nn.Sequential(kind(0.0)), x, 2, generator=generator_for("g")), x.expand(2, 3, 4))
    assert not sample(nn.Sequential(kind(1.0)), x, 2, generator=generator_for("g")).any()
