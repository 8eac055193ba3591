import pytest
import torch

from wdrop.detect.geometry.anchors import anchor_grid
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.training.assign import Targets, assigned_anchors

ANCHORS = anchor_grid(Size(64, 32), ((10, 10), (30, 12)))


def test_each_object_takes_the_free_anchor_that_fits_best() -> None:
    box = ANCHORS[5]
    first, second = assigned_anchors(torch.stack([box, box]), ANCHORS).tolist()
    assert first == 5
    assert second == 4 or ANCHORS[second, 0] != ANCHORS[5, 0]
    assert second != first


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
