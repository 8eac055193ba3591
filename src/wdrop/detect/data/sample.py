"""A picture and what is on it, from whichever data set."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wdrop.detect.data.reading.lens import Lens
from wdrop.detect.data.reading.pictures import open_picture
from wdrop.detect.geometry.boxes import Size

Picture = NDArray[np.uint8]
Window = tuple[int, int, int, int]
Box = tuple[float, float, float, float]


@final
@dataclass(frozen=True, eq=False)
class Sample:
    """A picture and its objects.

    name     what errors and random streams call it
    image    (height, width, 3), uint8, red green blue
    boxes    (n, 4), float32, corners xmin ymin xmax ymax in pixels of the image
    classes  (n,), int64, positions in the class names of its set
    """

    name: str
    image: Picture
    boxes: Tensor
    classes: Tensor

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise ValueError(
                f"{self.name}: expected an image (height, width, 3) of uint8, got {self.image.shape} {self.image.dtype}"
            )
        if self.boxes.shape != (len(self.classes), 4):
            raise ValueError(
                f"{self.name}: expected boxes (n, 4) and classes (n,), got {tuple(self.boxes.shape)} and "
                f"{tuple(self.classes.shape)}"
            )

    @property
    def size(self) -> Size:
        return Size(self.image.shape[1], self.image.shape[0])


@final
@dataclass(frozen=True, eq=False)
class Frame:
    """A sample whose picture is still in its file: boxes are checked, clipped and already in pixels of the window.

    window  the part of the stored picture that is used: left, top, right, bottom
    lens    what the picture is freed from before anything else, where a data set labels undistorted pictures
    """

    image: Path
    boxes: NDArray[np.float32]
    classes: NDArray[np.int64]
    window: Window
    lens: Lens | None = None

    @property
    def size(self) -> Size:
        """The window's."""
        left, top, right, bottom = self.window
        return Size(right - left, bottom - top)

    def sample(self) -> Sample:
        """The sample with its picture, read now."""
        picture = open_picture(self.image)
        if self.lens is not None:
            picture = self.lens.undistort(picture)
        left, top, right, bottom = self.window
        if picture.shape[0] < bottom or picture.shape[1] < right:
            raise ValueError(
                f"{self.image}: expected a picture of at least {right} x {bottom}, as when the set was listed, "
                f"got {picture.shape[1]} x {picture.shape[0]}; list the set again"
            )
        part = np.ascontiguousarray(picture[top:bottom, left:right])
        return Sample(self.image.name, part, torch.from_numpy(self.boxes.copy()), torch.from_numpy(self.classes.copy()))


@final
@dataclass(frozen=True)
class LabelledObject:
    """One entry of a label file, not yet judged: the data set's own word, corners, and where it is written."""

    word: str
    box: Box
    where: str


@final
@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """What a label file says about one picture.

    size  width and height of the picture the boxes were drawn on; None: the picture as it is stored
    """

    image: Path
    objects: Sequence[LabelledObject]
    where: str
    size: tuple[int, int] | None = None
    lens: Lens | None = None
