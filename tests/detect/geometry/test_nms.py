import torch

from wdrop._random import generator_for
from wdrop.detect.geometry.boxes import iou
from wdrop.detect.geometry.nms import survivors


def chain(*lefts: float) -> torch.Tensor:
    """Boxes of width 10 in a row."""
    return torch.tensor([[[left, 0.0, left + 10, 10.0] for left in lefts]])


def test_a_removed_box_removes_no_other() -> None:
    boxes, classes = chain(0, 4, 8), torch.zeros(1, 3, dtype=torch.int64)
    assert survivors(boxes, classes).tolist() == [[True, False, True]]
    assert survivors(boxes, classes, as_published=True).tolist() == [[True, False, False]]


def test_classes_do_not_compete() -> None:
    assert survivors(chain(0, 1), torch.tensor([[0, 1]])).all()
    assert survivors(chain(0, 1), torch.tensor([[1, 1]])).tolist() == [[True, False]]


def test_many_images_at_once_as_one_by_one() -> None:
    """Against the greedy loop of the textbook."""
    generator = generator_for("boxes")
    low = torch.rand(8, 30, 2, generator=generator) * 20
    boxes = torch.cat([low, low + 3 + 15 * torch.rand(8, 30, 2, generator=generator)], -1)
    classes = torch.randint(2, (8, 30), generator=generator)
    stays = survivors(boxes, classes, max_iou=0.3)
    for i in range(8):
        kept: list[int] = []
        for j in range(30):
            if all(classes[i, k] != classes[i, j] or iou(boxes[i, k], boxes[i, j]) <= 0.3 for k in kept):
                kept.append(j)
        assert stays[i].nonzero().flatten().tolist() == kept
