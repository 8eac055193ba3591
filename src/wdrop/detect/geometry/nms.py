"""Of boxes that show one object, the best."""

import torch
from torch import Tensor

from wdrop.detect.geometry.boxes import iou_matrix


def survivors(corners: Tensor, classes: Tensor, *, max_iou: float = 0.4, as_published: bool = False) -> Tensor:
    """Which boxes stay (s, n): those that no better one of their class overlaps by more than `max_iou`.

    corners  (s, n, 4), of s images or draws, best first
    classes  (s, n)

    Only a box that itself stays removes others; `as_published` lets those removed do so, too.
    """
    rivals = (iou_matrix(corners, corners) > max_iou) & (classes[:, :, None] == classes[:, None, :])
    removes = rivals.triu(diagonal=1)  # [s, i, j]: i, if it stays, removes the lesser j
    if as_published:
        return ~removes.any(dim=1)
    stays = torch.ones_like(classes, dtype=torch.bool)
    for i in range(corners.shape[1] - 1):
        stays &= ~(removes[:, i] & stays[:, i, None])
    return stays
