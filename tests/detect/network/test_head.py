import pytest
import torch
import torch.nn.functional as F
from building import built
from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.network.head import ConvDet
from wdrop.nets.wasserstein_head import WassersteinConv2d

N_CHANNELS, N_SHAPES, N_CLASSES, P = 6, 3, 2, 0.3
GRID = (4, 5)  # rows, columns
ANCHOR = torch.arange(4 * 5 * 3)  # all anchors, borders included


@pytest.fixture
def head() -> ConvDet:
    head = built(lambda: ConvDet(N_CHANNELS, N_SHAPES, N_CLASSES, P)).double()
    with torch.no_grad():
        for name, parameter in head.named_parameters():
            parameter.normal_(generator=generator_for(name))
    return head


@pytest.fixture
def x() -> Tensor:
    return torch.randn(2, N_CHANNELS, *GRID, dtype=torch.float64, generator=generator_for("x"))


def test_the_order_of_the_channels(head: ConvDet, x: Tensor) -> None:
    output = head.conv(x)
    raw = head(x)
    row, column, shape = 2, 3, 1
    anchor = (row * GRID[1] + column) * N_SHAPES + shape
    cell = output[1, :, row, column]
    assert torch.equal(raw.scores.classes[1, anchor], cell[2:4])
    assert torch.equal(raw.scores.confidence[1, anchor], cell[6 + 1])
    assert torch.equal(raw.deltas[1, anchor], cell[6 + 3 + 4 : 6 + 3 + 8])


def test_scores_alone_are_those_of_the_whole(head: ConvDet, x: Tensor) -> None:
    whole, alone = head(x).scores, head.scores(x)
    torch.testing.assert_close(alone.classes, whole.classes)
    torch.testing.assert_close(alone.confidence, whole.confidence)


def test_the_score_is_the_best_class_times_confidence(head: ConvDet, x: Tensor) -> None:
    scores = head.scores(x)
    best, label = scores.best()
    classes, confidence = scores.classes[1, 7], scores.confidence[1, 7]
    torch.testing.assert_close(best[1, 7], classes.softmax(0).max() * confidence.sigmoid())
    assert label[1, 7] == classes.argmax()


def test_a_draw_on_patches_is_the_draw_of_the_whole_map(head: ConvDet, x: Tensor) -> None:
    keep = head.keep(x, generator_for("mask"))
    whole = head(head.dropped(x, keep)).deltas[1]
    image = torch.ones_like(ANCHOR)
    patches, masks = head.patches(x.permute(0, 2, 3, 1), image, ANCHOR), head.patches(keep, image, ANCHOR)
    torch.testing.assert_close(head.drawn_deltas(patches, masks[None], ANCHOR)[0], whole)


def test_moments_on_patches_are_those_of_the_whole_map(head: ConvDet, x: Tensor) -> None:
    dense = built(lambda: WassersteinConv2d(N_CHANNELS, 4 * N_SHAPES, 3, P, padding=1)).double()
    dense.conv.load_state_dict({"weight": head.conv.weight[-12:], "bias": head.conv.bias[-12:]})  # type: ignore[index]
    expected = [part.permute(0, 2, 3, 1).reshape(2, -1, 4)[1] for part in dense(x)]
    patches = head.patches(x.permute(0, 2, 3, 1), torch.ones_like(ANCHOR), ANCHOR)
    mean, std = head.delta_moments(patches, ANCHOR)
    torch.testing.assert_close(mean, expected[0])
    torch.testing.assert_close(std, expected[1])
    torch.testing.assert_close(mean, head(x).deltas[1])


def test_the_std_is_that_of_many_draws(head: ConvDet, x: Tensor) -> None:
    keep = head.keep(x[:1].expand(8_000, -1, -1, -1), generator_for("masks"))
    deltas = head(head.dropped(x[:1], keep)).deltas
    std = head.delta_std(head.patches(x.permute(0, 2, 3, 1), torch.zeros_like(ANCHOR), ANCHOR), ANCHOR)
    torch.testing.assert_close(deltas.std(0), std, rtol=0.04, atol=0)


def test_gradients_reach_the_features_through_patches(head: ConvDet, x: Tensor) -> None:
    """As they do through a convolution, also where patches overlap and leave the map."""
    x.requires_grad_()
    patches = head.patches(x.permute(0, 2, 3, 1), torch.zeros_like(ANCHOR), ANCHOR)
    moments = head.delta_moments(patches, ANCHOR)
    (moments.mean.sin() + moments.std).sum().backward()
    through_patches = x.grad
    x.grad = None
    kernels, bias = head.conv.weight[-12:], head.conv.bias[-12:]  # type: ignore[index]
    variance = F.conv2d(x[:1].square(), kernels.square(), padding=1) * P / (1 - P)
    (F.conv2d(x[:1], kernels, bias, padding=1).sin() + variance.sqrt()).sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(through_patches, x.grad)
