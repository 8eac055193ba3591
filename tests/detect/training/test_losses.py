from math import log

import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.training.losses import BatchCounts, class_loss, confidence_loss

IMAGE, ANCHOR = torch.tensor([0, 0, 2]), torch.tensor([1, 4, 3])
IOU = torch.tensor([0.5, 0.8, 0.1])
COUNTS = BatchCounts(n_images=3, n_objects=3)


@pytest.fixture
def confidence() -> Tensor:
    return torch.rand(3, 6, generator=generator_for("confidence"))


def plain(confidence: Tensor, n_background: float) -> tuple[float, float]:
    """Anchor by anchor, as the published formula has it."""
    objects, background = 0.0, 0.0
    truth = {(int(i), int(a)): float(u) for i, a, u in zip(IMAGE, ANCHOR, IOU, strict=True)}
    for image in range(3):
        for anchor in range(6):
            value = float(confidence[image, anchor])
            if (image, anchor) in truth:
                objects += (truth[image, anchor] - value) ** 2 / 3
            else:
                background += value**2 / n_background
    return objects / 3, background / 3


@pytest.mark.parametrize(("as_published", "n_background"), [(False, 6 - 1), (True, 6 - 3)])
def test_confidence_loss_anchor_by_anchor(confidence: Tensor, as_published: bool, n_background: float) -> None:
    terms = confidence_loss(confidence, IOU, IMAGE, ANCHOR, COUNTS, as_published=as_published)
    assert [float(term) for term in terms] == pytest.approx(plain(confidence, n_background), rel=1e-5)


def test_a_batch_without_objects_has_background_alone(confidence: Tensor) -> None:
    none = torch.empty(0, dtype=torch.int64)
    objects, background = confidence_loss(confidence, none.float(), none, none, BatchCounts(3, 0))
    assert objects == 0
    torch.testing.assert_close(background, confidence.square().mean())


def test_class_loss_asks_yes_or_no_of_each_class() -> None:
    logits = torch.tensor([[0.2, 0.5, 0.3]]).log()
    expected = -log(0.5) - log(0.8) - log(0.7)
    assert float(class_loss(logits, torch.tensor([1]))) == pytest.approx(expected, rel=1e-5)


def test_class_loss_stays_finite_where_the_network_is_sure() -> None:
    logits = torch.tensor([[200.0, -200.0], [200.0, -200.0]], requires_grad=True)
    loss = class_loss(logits, torch.tensor([0, 1])).sum()
    loss.backward()
    assert loss.isfinite()
    assert logits.grad is not None
    assert logits.grad.isfinite().all()
    assert float(class_loss(torch.zeros(1, 1), torch.tensor([0]))) == 0  # a single class is never in doubt
