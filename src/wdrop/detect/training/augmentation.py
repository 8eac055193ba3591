"""A sample moved, mirrored and brought to the network's input size, its boxes with it."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
import torch
from torch import Generator, Tensor
from torch.nn.functional import interpolate

from wdrop._checks import at_least
from wdrop.detect.data.sample import Sample
from wdrop.detect.geometry.boxes import Size, scale

_MEAN_COLOUR = (124, 117, 104)  # of ImageNet's photographs, RGB: what the network sees as nothing
_LARGEST_SHARE = 0.3  # of the picture, or small pictures would be mostly padding; larger than the paper's sets need


@final
@dataclass(frozen=True, kw_only=True)
class Augmentation:
    """SqueezeDet's: a shift up to `max_shift` pixels in x and y of the stored picture, then a mirror image or not.

    To the left and up as far as the border of the first object allows, so that none leaves there; to the right and
    down the picture is padded with the mean colour. Colours stay.
    """

    max_shift: tuple[int, int] = (150, 100)
    flip: float = 0.5

    def __post_init__(self) -> None:
        at_least(0, max_shift_x=self.max_shift[0], max_shift_y=self.max_shift[1])
        if not 0 <= self.flip <= 1:
            raise ValueError(f"expected flip in [0, 1], got {self.flip}")

    def __call__(self, sample: Sample, *, generator: Generator) -> Sample:
        """The sample as it is seen this time; a picture without objects may move as far as it likes."""
        bounds = [min(most, int(_LARGEST_SHARE * side)) for most, side in zip(self.max_shift, sample.size, strict=True)]
        margins = sample.boxes[:, :2].amin(dim=0).int().tolist() if len(sample.boxes) else bounds
        cuts = [
            int(torch.randint(-bound, min(bound, max(0, margin)) + 1, (), generator=generator))
            for bound, margin in zip(bounds, margins, strict=True)
        ]
        moved = shifted(sample, cuts[0], cuts[1])
        return flipped(moved) if float(torch.rand((), generator=generator)) < self.flip else moved


def shifted(sample: Sample, dx: int, dy: int) -> Sample:
    """The sample without its first `dx` columns and `dy` rows; negative ones are added in the mean colour."""
    height, width = sample.image.shape[:2]
    image = np.empty((height - dy, width - dx, 3), dtype=np.uint8)
    top, left = max(0, -dy), max(0, -dx)
    image[:top] = _MEAN_COLOUR
    image[top:, :left] = _MEAN_COLOUR
    image[top:, left:] = sample.image[max(0, dy) :, max(0, dx) :]
    return replace(sample, image=image, boxes=sample.boxes - torch.tensor([dx, dy, dx, dy]))


def flipped(sample: Sample) -> Sample:
    """The sample's mirror image: x becomes width - 1 - x."""
    left, top, right, bottom = sample.boxes.unbind(dim=1)
    last = sample.size.width - 1
    boxes = torch.stack([last - right, top, last - left, bottom], dim=1)
    return replace(sample, image=np.ascontiguousarray(sample.image[:, ::-1]), boxes=boxes)


def resized(sample: Sample, size: Size, *, antialias: bool = False) -> Sample:
    """The sample at that size, bilinear as in the published code; `antialias` averages when it shrinks."""
    if sample.size == size:
        return sample
    image = interpolate(
        as_tensor(sample)[None].float(), (size.height, size.width), mode="bilinear", antialias=antialias
    )
    pixels = image[0].permute(1, 2, 0).round().clamp(0, 255).byte().numpy()
    return replace(sample, image=np.ascontiguousarray(pixels), boxes=scale(sample.boxes, sample.size, size))


def as_tensor(sample: Sample) -> Tensor:
    """The picture as networks read it: (3, height, width), uint8, RGB."""
    return torch.from_numpy(sample.image).permute(2, 0, 1)
