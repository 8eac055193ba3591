import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.geometry.boxes import clip, iou, to_corners
from wdrop.detect.geometry.deltas import decode, encode
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.training.assign import Targets
from wdrop.detect.training.losses import BatchCounts
from wdrop.detect.training.objective import LOSSES, DetectionLoss, LossTerms, TrainingLoss
from wdrop.losses.closed_form import closed_form_loss
from wdrop.losses.wasserstein import wasserstein_dropout_loss


def terms(net: SqueezeDet, images: Tensor, targets: Targets, seed: int = 0, **settings: object) -> LossTerms:
    loss = DetectionLoss(**settings)  # type: ignore[arg-type]
    return TrainingLoss(net, loss)(images, targets, generator_for("step", seed))


def test_mc_loss_is_that_of_one_whole_draw(net: SqueezeDet, images: Tensor, targets: Targets) -> None:
    """The published formula on the dense output under one mask."""
    features = net.features(images)
    raw = net.head(net.head.dropped(features, net.head.keep(features, generator_for("step", 0))))
    places = targets.image, targets.anchor
    anchors = net.anchors[targets.anchor]
    box = 5 * (raw.deltas[places] - encode(targets.boxes, anchors, as_published=True)).square().sum() / len(targets)
    confidence = raw.scores.confidence.sigmoid()
    found = clip(to_corners(decode(raw.deltas[places], anchors)), net.architecture.size)
    truth, weight = torch.zeros_like(confidence), torch.full_like(confidence, 100 / (36 - 4))
    truth[places], weight[places] = iou(found, to_corners(targets.boxes)), 75 / 4
    got = terms(net, images, targets, kind="mc", as_published=True)
    torch.testing.assert_close(got.box, box, rtol=1e-4, atol=0)
    expected = ((truth - confidence).square() * weight).sum(1).mean()
    torch.testing.assert_close(got.confidence, expected, rtol=1e-4, atol=0)
    torch.testing.assert_close(got.total, got.box + got.confidence + got.classes)


def test_wasserstein_loss_is_that_of_as_many_whole_draws(
    net: SqueezeDet, images: Tensor, targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Draws on patches alone, with the masks that the patches have in whole draws: the same loss, the same gradient."""
    head, places = net.head, (targets.image, targets.anchor)
    features = net.features(images)
    masks = [head.keep(features, generator_for("step", seed)) for seed in range(4)]
    samples = torch.stack([head(head.dropped(features, keep)).deltas[places] for keep in masks])
    truth = encode(targets.boxes, net.anchors[targets.anchor])
    dense = 5 * wasserstein_dropout_loss(samples, truth).sum() / len(targets)
    (of_dense,) = torch.autograd.grad(dense, head.conv.weight)

    on_patches = torch.stack([head.patches(keep, *places) for keep in masks[1:]])
    monkeypatch.setattr("wdrop.detect.training.objective.keep_mask", lambda shape, *_: on_patches.view(shape))
    got = terms(net, images, targets, kind="wasserstein", n_draws=4).box
    (of_sparse,) = torch.autograd.grad(got, head.conv.weight)
    torch.testing.assert_close(got, dense, rtol=1e-4, atol=0)
    torch.testing.assert_close(of_sparse, of_dense, rtol=1e-3, atol=1e-5)


def test_no_gradient_flows_through_the_confidence_s_target(net: SqueezeDet, images: Tensor, targets: Targets) -> None:
    terms(net, images, targets).confidence.backward()
    assert net.head.conv.weight.grad is not None
    assert net.head.conv.weight.grad[-12:].eq(0).all()
    assert net.head.conv.weight.grad[:-12].ne(0).any()


def test_wasserstein_with_many_draws_nears_exact_moments(
    net: SqueezeDet, images: Tensor, targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With κ = 0 the closed form is the paper's loss for endless draws."""
    monkeypatch.setattr("wdrop.losses.closed_form.brake", lambda scale=1.0: 0.0)
    with torch.no_grad():
        exact = terms(net, images, targets, kind="closed_form").box
        drawn = terms(net, images, targets, kind="wasserstein", n_draws=600).box
        few = terms(net, images, targets, kind="wasserstein", n_draws=2).box
    torch.testing.assert_close(drawn, exact, rtol=0.03, atol=0)
    assert abs(few / exact - 1) > 0.06


def test_closed_form_boxes_draw_nothing(net: SqueezeDet, images: Tensor, targets: Targets) -> None:
    first, second = (terms(net, images, targets, seed, kind="closed_form") for seed in (0, 1))
    assert torch.equal(first.box, second.box)
    assert not torch.equal(first.classes, second.classes)  # scores see a mask
    patches = net.head.patches(net.features(images).permute(0, 2, 3, 1), targets.image, targets.anchor)
    mean, std = net.head.delta_moments(patches, targets.anchor)
    expected = 5 * closed_form_loss(mean, std, encode(targets.boxes, net.anchors[targets.anchor])).sum() / 4
    torch.testing.assert_close(first.box, expected)


@pytest.mark.parametrize("kind", LOSSES)
def test_an_image_without_objects_teaches_background(net: SqueezeDet, images: Tensor, kind: str) -> None:
    none = Targets.of([torch.empty(0, 4)] * 2, [torch.empty(0, dtype=torch.int64)] * 2, net.anchors)
    got = terms(net, images, none, kind=kind)
    assert got.box == 0
    assert got.classes == 0
    got.total.backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in net.parameters())


def test_processes_that_share_a_batch_agree_with_one(net: SqueezeDet, images: Tensor, targets: Targets) -> None:
    loss = TrainingLoss(net, DetectionLoss(kind="closed_form"))
    net.head.p = 0.0  # masks would differ
    whole = loss(images, targets, generator_for("masks"))
    parts = []
    for i in range(2):
        mine = targets.image == i
        columns = targets.anchor[mine], targets.boxes[mine], targets.classes[mine]
        part = Targets(torch.zeros_like(columns[0]), *columns)
        parts.append(loss(images[i : i + 1], part, generator_for("masks"), BatchCounts(2, len(targets))))
    for together, *apart in zip(whole, *parts, strict=True):
        torch.testing.assert_close(sum(apart) / 2, together, rtol=1e-4, atol=0)


def test_a_backbone_in_bfloat16_says_nearly_the_same(net: SqueezeDet, images: Tensor, targets: Targets) -> None:
    exact, rough = (
        TrainingLoss(net, DetectionLoss(kind="closed_form"), bfloat16=bfloat16)(images, targets, generator_for("step"))
        for bfloat16 in (False, True)
    )
    assert rough.total.dtype == torch.float32
    assert not torch.equal(rough.box, exact.box)
    torch.testing.assert_close(rough.total, exact.total, rtol=0.05, atol=0)


def test_unknown_losses_are_refused_with_a_guess() -> None:
    with pytest.raises(ValueError, match="unknown loss 'waserstein', did you mean 'wasserstein'"):
        DetectionLoss(kind="waserstein")
