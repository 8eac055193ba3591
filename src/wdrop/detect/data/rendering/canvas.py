"""A picture being drawn, which remembers what belongs to which object."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wdrop.detect.geometry.boxes import Size

Colour = tuple[int, int, int]


class Canvas:
    """Shapes go onto the picture, and after `start_object` onto that object's own mask too."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.picture = Image.new("RGB", size)
        self._pen = ImageDraw.Draw(self.picture)
        self._masks: list[Image.Image] = []
        self._mask_pen: ImageDraw.ImageDraw | None = None

    def start_object(self) -> None:
        """What is drawn from now on belongs to the next object, and hides those before it."""
        self._masks.append(Image.new("L", self.size))
        self._mask_pen = ImageDraw.Draw(self._masks[-1])

    def rectangle(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        corners = (left, top, max(left, right), max(top, bottom))
        self._pen.rectangle(corners, fill=colour)
        if self._mask_pen is not None:
            self._mask_pen.rectangle(corners, fill=1)

    def ellipse(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        self._pen.ellipse((left, top, right, bottom), fill=colour)
        if self._mask_pen is not None:
            self._mask_pen.ellipse((left, top, right, bottom), fill=1)

    def polygon(self, corners: Sequence[tuple[float, float]], colour: Colour) -> None:
        self._pen.polygon(corners, fill=colour)
        if self._mask_pen is not None:
            self._mask_pen.polygon(corners, fill=1)

    def gradient(self, top: float, bottom: float, upper: Colour, lower: Colour) -> None:
        """Fill the rows between two heights, from one colour to another."""
        n_rows = max(1, round(bottom) - round(top))
        rows = np.linspace(upper, lower, n_rows).astype(np.uint8)
        strip = np.broadcast_to(rows[:, None, :], (n_rows, self.size.width, 3))
        self.picture.paste(Image.fromarray(np.ascontiguousarray(strip)), (0, round(top)))

    def objects(self) -> list[tuple[tuple[int, int, int, int], float]]:
        """Each object's corners within the picture and its share in sight, in the order they were drawn."""
        hidden = np.zeros((self.size.height, self.size.width), dtype=bool)
        found = []
        for mask in reversed(self._masks):
            own = np.asarray(mask) > 0
            found.append((_corners(own), float((own & ~hidden).sum() / max(1, own.sum()))))
            hidden |= own
        return found[::-1]


def _corners(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return (int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])) if len(rows) else (0, 0, 0, 0)
