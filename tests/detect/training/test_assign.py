from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop.detect.geometry.anchors import anchor_grid
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.training.assign import Targets, assigned_anchors

ANCHORS = anchor_grid(Size(64, 32), ((10, 10), (30, 12)))


Box = tuple[int, int, int, int]
BOXES = st.tuples(*2 * [st.integers(0, 40)], *2 * [st.integers(1, 12).map(lambda half: 2 * half)])  # whole corners


def iou_by_hand(a: Box, b: Box) -> Fraction:
    """Of boxes in centre form, exactly."""
    sides = [
        max(0, min(a[i] + a[i + 2] // 2, b[i] + b[i + 2] // 2) - max(a[i] - a[i + 2] // 2, b[i] - b[i + 2] // 2))
        for i in (0, 1)
    ]
    shared = sides[0] * sides[1]
    return Fraction(shared, a[2] * a[3] + b[2] * b[3] - shared)


@given(st.lists(BOXES, min_size=6, max_size=12), st.lists(BOXES, max_size=6))
def test_each_object_takes_the_free_anchor_that_fits_best(anchors: list[Box], boxes: list[Box]) -> None:
    """Looked for one by one, in the order of the objects."""
    chosen = assigned_anchors(torch.tensor(boxes).view(-1, 4).double(), torch.tensor(anchors).double()).tolist()
    free = set(range(len(anchors)))
    for box, number in zip(boxes, chosen, strict=True):
        assert number in free
        overlaps = {k: iou_by_hand(box, anchors[k]) for k in free}
        distances = {k: sum((a - b) ** 2 for a, b in zip(box, anchors[k], strict=True)) for k in free}
        if max(overlaps.values()) > 0:
            assert overlaps[number] == max(overlaps.values())
        else:
            assert distances[number] == min(distances.values())
        free.remove(number)


def test_an_object_that_overlaps_no_free_anchor_takes_the_nearest_one() -> None:
    anchors = torch.tensor([[10.0, 10.0, 4.0, 4.0], [20.0, 10.0, 4.0, 4.0], [30.0, 10.0, 4.0, 4.0]])
    dot = torch.tensor([16.0, 10.0, 1.0, 1.0])
    assert assigned_anchors(torch.stack([dot, dot, dot]), anchors).tolist() == [1, 0, 2]


def test_more_objects_than_anchors_are_refused() -> None:
    with pytest.raises(ValueError, match="got 17 objects for 16 anchors"):
        assigned_anchors(ANCHORS[:1].expand(17, -1), ANCHORS)


def test_an_image_without_objects_has_no_rows() -> None:
    boxes = [ANCHORS[:2], ANCHORS[:0], ANCHORS[7:8]]
    classes = [torch.tensor([0, 1]), torch.empty(0, dtype=torch.int64), torch.tensor([2])]
    targets = Targets.of(boxes, classes, ANCHORS)
    assert targets.image.tolist() == [0, 0, 2]
    assert targets.anchor.tolist() == [0, 1, 7]
    assert targets.classes.tolist() == [0, 1, 2]
