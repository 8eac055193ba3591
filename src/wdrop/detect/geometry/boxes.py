"""Boxes as tensors (..., 4) in pixels, in two forms.

corners  (xmin, ymin, xmax, ymax)
centres  (cx, cy, w, h)

A pixel's number is its coordinate: an image of width W reaches from 0 to W - 1.
"""

from typing import NamedTuple

import torch
from torch import Tensor


class Size(NamedTuple):
    """Width and height of an image in pixels."""

    width: int
    height: int


def to_centres(corners: Tensor, *, inclusive: bool = False) -> Tensor:
    """The centre form of boxes (..., 4) given by corners.

    `inclusive` counts the last pixel in, w = xmax - xmin + 1, as SqueezeDet does on the way to centres (and not on the
    way back).
    """
    low, high = corners[..., :2], corners[..., 2:]
    extent = high - low + (1 if inclusive else 0)
    return torch.cat([low + extent / 2, extent], dim=-1)


def to_corners(centres: Tensor) -> Tensor:
    """The corners of boxes (..., 4) given in centre form."""
    centre, extent = centres[..., :2], centres[..., 2:]
    return torch.cat([centre - extent / 2, centre + extent / 2], dim=-1)


def clip(corners: Tensor, size: Size) -> Tensor:
    """The corners, moved into the image where they lie outside."""
    highest = corners.new_tensor([size.width - 1, size.height - 1] * 2)
    return corners.clamp(min=0).minimum(highest)


def scale(boxes: Tensor, before: Size, after: Size) -> Tensor:
    """Boxes (or their stds) of either form, as the image is resized from `before` to `after`."""
    return boxes * boxes.new_tensor([after.width / before.width, after.height / before.height] * 2)


def area(corners: Tensor) -> Tensor:
    """The area (...) of boxes (..., 4); 0 where a box is turned inside out."""
    return (corners[..., 2:] - corners[..., :2]).clamp(min=0).prod(dim=-1)


def iou(a: Tensor, b: Tensor) -> Tensor:
    """Intersection over union (...) of corners a (..., 4) and b (..., 4), pair by pair; 0 where both are empty."""
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    shared = (high - low).clamp(min=0).prod(dim=-1)
    union = area(a) + area(b) - shared
    return torch.where(union > 0, shared / torch.where(union > 0, union, 1), 0)


def iou_matrix(a: Tensor, b: Tensor) -> Tensor:
    """Intersection over union (..., n, m) of all corners a (..., n, 4) with all corners b (..., m, 4)."""
    return iou(a[..., :, None, :], b[..., None, :, :])
