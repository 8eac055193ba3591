"""Between boxes and what the network says of them: deltas (dx, dy, dw, dh) from an anchor.

    cx = ax + dx aw     cy = ay + dy ah     w = aw g(dw)     h = ah g(dh)
    g(t) = exp(t) up to t = 1, from there on its tangent e t

The tangent keeps a wild delta from becoming an endless box.
"""

from math import e

import torch
from torch import Tensor


def decode(deltas: Tensor, anchors: Tensor) -> Tensor:
    """Boxes in centre form (..., 4)."""
    centre = anchors[..., :2] + deltas[..., :2] * anchors[..., 2:]
    return torch.cat([centre, anchors[..., 2:] * _growth(deltas[..., 2:])], dim=-1)


def encode(boxes: Tensor, anchors: Tensor, *, as_published: bool = False) -> Tensor:
    """The deltas (..., 4) of boxes in centre form: what `decode` turns back into them.

    `as_published` takes log(w/aw) throughout. Boxes more than e times as large as their anchor then come back too
    small.
    """
    ratio = boxes[..., 2:] / anchors[..., 2:]
    log = ratio.log()
    extent = log if as_published else torch.where(log <= 1, log, ratio / e)
    return torch.cat([(boxes[..., :2] - anchors[..., :2]) / anchors[..., 2:], extent], dim=-1)


def decoded_std(deltas: Tensor, std: Tensor, anchors: Tensor) -> Tensor:
    """The std (..., 4) of box coordinates in pixels out of that of the deltas.

    Exact for the centre, to first order for width and height: g'(dw) aw std. Both are of the box as it is decoded. One
    that reaches over the picture's border is clipped there later, in the mean and in each draw, so that draws of it
    spread less than this std.
    """
    slope = deltas[..., 2:].clamp(max=1).exp()  # e above 1, the tangent's
    extents = anchors[..., 2:]
    return torch.cat([std[..., :2] * extents, std[..., 2:] * extents * slope], dim=-1)


def _growth(t: Tensor) -> Tensor:
    return torch.where(t <= 1, t.clamp(max=1).exp(), e * t)
