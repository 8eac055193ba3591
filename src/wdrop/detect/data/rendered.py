"""Street scenes drawn by the computer, so that everything runs with no file at all. Made up, and called so."""

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np
import torch
from numpy.random import Generator as Rng
from PIL import Image
from torch import Generator, Tensor

from wdrop._checks import at_least, known
from wdrop._random import generator_for, seed_from
from wdrop.detect.data.classes import CLASSES
from wdrop.detect.data.fingerprint import fingerprint_of
from wdrop.detect.data.rendering.canvas import Canvas, Colour
from wdrop.detect.data.rendering.road_users import KINDS, SHARES, random_colour
from wdrop.detect.data.sample import Sample
from wdrop.detect.data.source import SPLITS, SplitName, keywords
from wdrop.detect.geometry.boxes import Size

SIZE = Size(336, 192)  # half of the paper's input
_FINE = 2  # drawn larger and averaged down, for soft edges
_CAMERA_HEIGHT = 1.5  # metres: turns the distance of the feet from the horizon into pixels a metre
_MIN_VISIBLE = 0.3  # of an object's own pixels, or nobody could find it
_MIN_EXTENT = 4  # pixels in width and height


def render(size: Size = SIZE, *, name: str = "rendered", generator: Generator) -> Sample:
    """A street scene of that size with one to nine objects, and the box of each: a function of the generator alone.

    Boxes hold the whole object up to the picture's border, also what others hide; objects with less than three
    tenths in sight are not labelled.
    """
    at_least(32, width=size[0], height=size[1])
    rng = np.random.default_rng(seed_from(generator))
    while True:  # everything may lie outside the picture, rarely
        image, boxes, classes = _scene(Size(*size), rng)
        if boxes:
            return Sample(name, image, torch.tensor(boxes, dtype=torch.float32), torch.tensor(classes))


@final
@dataclass(frozen=True)
class RenderedSet:
    """Scenes by number; scene i depends on split, seed and i alone, so that longer sets begin like shorter ones."""

    split: str
    n_pictures: int
    size: Size = SIZE
    seed: int = 0
    name: str = "rendered"
    class_names: tuple[str, ...] = CLASSES

    def __len__(self) -> int:
        return self.n_pictures

    def __getitem__(self, index: int) -> Sample:
        if not -len(self) <= index < len(self):
            raise IndexError(f"expected a number below {len(self)}, got {index}")
        index %= len(self)
        generator = generator_for("rendered", self.split, self.seed, index)
        return render(self.size, name=f"rendered-{self.split}-{self.seed}-{index}", generator=generator)

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.split, self.n_pictures, *self.size, self.seed)

    @property
    def crop(self) -> None:
        """Scenes are shown whole."""

    @property
    def n_objects(self) -> int:
        return sum(len(self[index].boxes) for index in range(len(self)))

    def boxes(self) -> Tensor:
        """All boxes (n, 4), corners, relative to the picture's size."""
        return torch.cat([self[index].boxes for index in range(len(self))]) / torch.tensor([*self.size, *self.size])


@final
@dataclass(frozen=True)
class RenderedSource:
    """The scenes as a data set among others."""

    name: str = "rendered"
    tree: str = "no files: drawn when asked for"

    def load(
        self,
        split: SplitName,
        *,
        folder: Path | str | None = None,
        n_pictures: int = 200,
        size: tuple[int, int] = SIZE,
        seed: int = 0,
    ) -> RenderedSet:
        """That many scenes of that size."""
        known("split", split, SPLITS)
        at_least(1, n_pictures=n_pictures)
        if folder is not None:
            raise ValueError(f"rendered scenes lie in no folder, got {str(folder)!r}; leave `folder` away")
        return RenderedSet(split, n_pictures, Size(*size), seed)

    @property
    def options(self) -> list[str]:
        """What scenes can be asked for."""
        return [name for name in keywords(self.load) if name != "folder"]


SOURCE = RenderedSource()


def _scene(
    size: Size, rng: Rng
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], list[list[float]], list[int]]:
    canvas = Canvas(Size(size.width * _FINE, size.height * _FINE))
    horizon = canvas.size.height * rng.uniform(0.38, 0.5)
    _background(canvas, horizon, rng)
    depths = np.sort(rng.uniform(0.08, 0.85, size=rng.integers(1, 10)) ** 1.5)  # far ones first, near ones hide them
    kinds = [KINDS[number] for number in rng.choice(len(KINDS), p=SHARES, size=len(depths))]
    for depth, (_, draw) in zip(depths, kinds, strict=True):
        feet = horizon + (canvas.size.height - horizon) * (0.08 + 0.92 * depth)
        metre = (feet - horizon) / _CAMERA_HEIGHT
        canvas.start_object()
        draw(canvas, rng.uniform(0.02, 0.98) * canvas.size.width, feet, metre, rng)
    boxes, classes = [], []
    for (kind, _), (box, visible) in zip(kinds, canvas.objects(), strict=True):
        corners = [float(side // _FINE) for side in box]
        if visible >= _MIN_VISIBLE and min(corners[2] - corners[0], corners[3] - corners[1]) >= _MIN_EXTENT:
            boxes.append(corners)
            classes.append(CLASSES.index(kind))
    return _photographed(canvas, size, rng), boxes, classes


def _photographed(canvas: Canvas, size: Size, rng: Rng) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The picture at its final size, under the light of the day and with the noise of a camera."""
    small = np.asarray(canvas.picture.resize(size, Image.Resampling.BOX), dtype=np.float64)
    grain = rng.normal(0, 4, size=small.shape)
    return (small * rng.uniform(0.6, 1.1) + grain).round().clip(0, 255).astype(np.uint8)


def _background(canvas: Canvas, horizon: float, rng: Rng) -> None:
    width, height = canvas.size
    canvas.gradient(0, horizon, random_colour(rng, 120, 200), random_colour(rng, 180, 240))
    canvas.gradient(horizon, height, random_colour(rng, 90, 130), random_colour(rng, 60, 100))
    x = 0.0
    while x < width:  # houses along the horizon
        broad, tall = rng.uniform(0.04, 0.14) * width, rng.uniform(0.05, 0.35) * height
        canvas.rectangle(x, horizon - tall, x + broad, horizon + 2, random_colour(rng, 70, 190))
        x += broad
    vanishing = rng.uniform(0.35, 0.65) * width
    road = [(vanishing - 4, horizon), (vanishing + 4, horizon), (width * 1.1, height), (-0.1 * width, height)]
    canvas.polygon(road, _grey(rng, 70, 110))
    for near in np.linspace(0.1, 1, 7):  # the middle line's dashes
        y = horizon + (height - horizon) * near**2
        canvas.rectangle(vanishing - 3 * near, y - 8 * near, vanishing + 3 * near, y, (225, 225, 215))


def _grey(rng: Rng, low: int, high: int) -> Colour:
    level = int(rng.integers(low, high))
    return level, level, level
