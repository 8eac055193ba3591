"""Anchors: boxes of fixed shapes on a grid, from which the network's boxes are measured."""

from collections.abc import Sequence

import torch
from torch import Generator, Tensor

from wdrop._checks import at_least
from wdrop.detect.geometry.boxes import Size

STRIDE = 16  # pixels of the input to one cell of the grid

Shapes = tuple[tuple[float, float], ...]
"""Width and height of each anchor shape, in pixels of the network's input."""

KITTI_SHAPES: Shapes = (
    (36, 37), (366, 174), (115, 59), (162, 87), (38, 90), (258, 173), (224, 108), (78, 170), (72, 43),
)  # fmt: skip
"""SqueezeDet's own, for images 384 pixels high; the paper takes them for all its data sets."""


def scaled_shapes(shapes: Shapes, factor: float) -> Shapes:
    """The shapes for an input that is larger by `factor`."""
    return tuple((width * factor, height * factor) for width, height in shapes)


def grid_size(size: Size) -> Size:
    """Columns and rows of the grid; sizes that the strides do not divide are refused."""
    if size.width % STRIDE or size.height % STRIDE or min(size) < STRIDE:
        raise ValueError(
            f"expected an input size divisible by {STRIDE}, got {size.width} x {size.height}; "
            f"try {_nearest(size.width)} x {_nearest(size.height)}"
        )
    return Size(size.width // STRIDE, size.height // STRIDE)


def anchor_grid(size: Size, shapes: Sequence[tuple[float, float]]) -> Tensor:
    """All anchors in centre form (a, 4): rows, then columns, then shapes.

    Centres lie at k W/(columns + 1), k = 1, 2, ..., which are not the centres of the cells: as in SqueezeDet.
    """
    columns, rows = grid_size(size)
    x = torch.arange(1, columns + 1) * (size.width / (columns + 1))
    y = torch.arange(1, rows + 1) * (size.height / (rows + 1))
    centres = torch.stack([x.expand(rows, -1), y[:, None].expand(-1, columns)], dim=-1)
    extents = torch.tensor(shapes, dtype=centres.dtype)
    k = len(extents)
    grid = torch.cat([centres[:, :, None].expand(-1, -1, k, -1), extents.expand(rows, columns, -1, -1)], dim=-1)
    return grid.reshape(-1, 4)


def fitted_shapes(extents: Tensor, n_shapes: int = 9, *, n_starts: int = 10, generator: Generator) -> Shapes:
    """Anchor shapes fitted to box extents (n, 2) by k-means, smallest first.

    The distance is 1 - IoU of boxes laid on one centre, so that small boxes count as much as large ones.
    """
    at_least(1, n_shapes=n_shapes, n_starts=n_starts)
    distinct = extents.unique(dim=0)
    if len(distinct) < n_shapes:
        raise ValueError(
            f"expected at least {n_shapes} different box extents, got {len(distinct)}; ask for fewer shapes"
        )
    starts = [distinct[torch.randperm(len(distinct), generator=generator)[:n_shapes]] for _ in range(n_starts)]
    fits = [_settled(extents, start) for start in starts]
    best = max(fits, key=lambda shapes: float(_shape_iou(extents, shapes).amax(1).mean()))
    ordered = best[best.prod(1).argsort()]
    return tuple((float(width), float(height)) for width, height in ordered)


def _settled(extents: Tensor, shapes: Tensor) -> Tensor:
    """The shapes after so many turns of k-means that nothing moves, 100 at most."""
    owner = torch.full((len(extents),), -1)
    for _ in range(100):
        nearest = _shape_iou(extents, shapes).argmax(1)
        if torch.equal(nearest, owner):
            break
        owner = nearest
        # a shape that lost all its boxes stays where it is
        groups = [extents[owner == k] for k in range(len(shapes))]
        shapes = torch.stack([group.mean(0) if len(group) else shapes[k] for k, group in enumerate(groups)])
    return shapes


def _shape_iou(extents: Tensor, shapes: Tensor) -> Tensor:
    shared = torch.minimum(extents[:, None], shapes).prod(-1)
    return shared / (extents.prod(-1)[:, None] + shapes.prod(-1) - shared)


def _nearest(pixels: int) -> int:
    return max(STRIDE, round(pixels / STRIDE) * STRIDE)
