"""The network that fits a data set and an input size."""

import re
from collections.abc import Sequence

from torch import Generator, Tensor

from wdrop._checks import known
from wdrop.detect.geometry.anchors import KITTI_SHAPES, fitted_shapes, scaled_shapes
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import Architecture

ANCHORS = ("kitti", "fitted")
_PUBLISHED_HEIGHT = 384


def architecture_for(
    classes: Sequence[str],
    size: Size,
    *,
    anchors: str = "kitti",
    boxes: Tensor | None = None,
    generator: Generator | None = None,
) -> Architecture:
    """SqueezeDet for these classes and this input.

    anchors    "kitti": SqueezeDet's own, scaled to the height; "fitted": nine shapes by k-means on `boxes`
    boxes      (n, 4), corners relative to the picture, as the data sets give them
    generator  draws where k-means starts
    """
    known("way to anchors", anchors, ANCHORS)
    shapes = scaled_shapes(KITTI_SHAPES, size.height / _PUBLISHED_HEIGHT)
    if anchors == "fitted":
        if boxes is None:
            raise ValueError("expected boxes to fit anchors to, got none")
        if generator is None:
            raise ValueError(
                "expected a generator to fit anchors with, got none; for example torch.Generator().manual_seed(0)"
            )
        extents = (boxes[:, 2:] - boxes[:, :2]) * boxes.new_tensor([size.width, size.height])
        shapes = fitted_shapes(extents, generator=generator)
    return Architecture(classes=tuple(classes), size=size, anchor_shapes=shapes)


def size_of(text: str) -> Size:
    """The size written as WIDTHxHEIGHT."""
    found = re.fullmatch(r"(\d+)x(\d+)", text)
    if found is None:
        raise ValueError(f"expected a size like 672x384, got {text!r}")
    return Size(int(found[1]), int(found[2]))
