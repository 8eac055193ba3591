"""Which anchor answers for which object: one anchor an object, each anchor once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor

from wdrop.detect.geometry.boxes import iou_matrix, to_corners


def assigned_anchors(boxes: Tensor, anchors: Tensor) -> Tensor:
    """The anchor's number (n,) for each box, both in centre form.

    In the order of the boxes: the free anchor of highest IoU; where none overlaps, the one of smallest squared distance
    in (cx, cy, w, h). So every object is learnt from, however small or odd.
    """
    if len(boxes) > len(anchors):
        raise ValueError(
            f"expected at most one object per anchor, got {len(boxes)} objects for {len(anchors)} anchors; "
            "enlarge the input"
        )
    overlap = iou_matrix(to_corners(boxes), to_corners(anchors))
    chosen = torch.empty(len(boxes), dtype=torch.int64, device=boxes.device)
    for i, box in enumerate(boxes):
        best = overlap[i].argmax()
        if overlap[i, best] <= 0:  # free anchors only: those taken have been set to -1
            distance = (anchors - box).square().sum(1)
            best = distance.masked_fill(overlap[i] < 0, torch.inf).argmin()
        chosen[i] = best
        overlap[:, best] = -1
    return chosen


@final
@dataclass(frozen=True, eq=False)
class Targets:
    """The objects of a batch, one row each, whatever the image they are in.

    image    (n,), which image of the batch
    anchor   (n,), which of its anchors answers
    boxes    (n, 4), in centre form, in pixels of the network's input
    classes  (n,)
    """

    image: Tensor
    anchor: Tensor
    boxes: Tensor
    classes: Tensor

    @classmethod
    def of(cls, boxes: Sequence[Tensor], classes: Sequence[Tensor], anchors: Tensor) -> "Targets":
        """The targets of images with so many boxes (n, 4) in centre form and classes (n,) each."""
        return cls.joined([assigned_anchors(rows, anchors) for rows in boxes], boxes, classes)

    @classmethod
    def joined(cls, anchor: Sequence[Tensor], boxes: Sequence[Tensor], classes: Sequence[Tensor]) -> "Targets":
        """The targets of images whose objects have their anchors (n,) already."""
        counts = torch.tensor([len(rows) for rows in boxes], dtype=torch.int64)
        image = torch.arange(len(boxes)).repeat_interleave(counts)
        return cls(image, *(torch.cat(list(part)) for part in (anchor, boxes, classes)))

    def __len__(self) -> int:
        return len(self.anchor)

    def to(self, device: torch.device) -> "Targets":
        return Targets(*(part.to(device) for part in (self.image, self.anchor, self.boxes, self.classes)))
