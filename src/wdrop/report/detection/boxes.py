"""Boxes on a picture, each edge with the band in which it lies."""

from collections.abc import Sequence
from io import BytesIO
from typing import final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from wdrop.detect.data.sample import Picture
from wdrop.detect.finding.detections import Detections

Row = NDArray[np.float64]
Corners = tuple[float, float, float, float]
Colour = tuple[int, int, int]
_COLOURS = ((217, 72, 15), (28, 126, 214), (47, 158, 68), (174, 62, 201), (230, 119, 0), (12, 133, 153))
TRUE_BOX = (255, 212, 59)
_BANDS = ((2, 60), (1, 95))  # how many stds, opacity: the inner band lies on the outer
_SIDE = 1200  # pixels of the longer side: small pictures are drawn larger, or a std of a pixel could not be seen


def drawn(
    picture: Picture,
    detections: Detections,
    classes: Sequence[str],
    truth: NDArray[np.float64] | None = None,
    *,
    thickness: int = 1,
) -> Picture:
    """The picture with the boxes: a line at the mean, bands of one and two stds around each edge.

    truth      (m, 4), corners of true boxes, in yellow
    thickness  of lines and letters: 2 for a picture that is printed small

    The std of an edge takes centre and extent as independent: left = cx - w/2 has variance σ_cx² + σ_w²/4.
    """
    factor = max(1, round(_SIDE / max(picture.shape[:2])))
    image = Image.fromarray(picture).convert("RGBA")
    image = image.resize((image.width * factor, image.height * factor), Image.Resampling.BICUBIC)
    mean, std = (values.double().cpu().numpy() * factor for values in (detections.boxes.mean, detections.boxes.std))
    order = np.argsort(detections.scores.cpu().numpy())  # the best on top
    numbers = detections.classes.tolist()
    colours = [_COLOURS[number % len(_COLOURS)] for number in numbers]
    image = Image.alpha_composite(image, _bands(image.size, [(mean[i], edge_std(std[i]), colours[i]) for i in order]))
    pen = _Pen(image, thickness)
    for row in order:
        pen.outline(mean[row], colours[row])
    for corners in () if truth is None else truth * factor:
        pen.pen.rectangle(corners.tolist(), outline=TRUE_BOX, width=round(2 * pen.scale))
    for row in order:  # after all boxes, whose lines would cross them
        name = classes[numbers[row]] if 0 <= numbers[row] < len(classes) else "?"
        pen.label(mean[row], f"{name} {float(detections.scores[row]):.2f}", colours[row])
    return np.asarray(image.convert("RGB"))


def edge_std(std: NDArray[np.float64]) -> tuple[float, float]:
    """The std of the upright and of the level edges, out of those of cx, cy, w, h."""
    x, y, w, h = std
    return float(np.hypot(x, w / 2)), float(np.hypot(y, h / 2))


def drawn_png(picture: Picture, detections: Detections, classes: Sequence[str]) -> bytes:
    """The same as a PNG file."""
    buffer = BytesIO()
    Image.fromarray(drawn(picture, detections, classes)).save(buffer, "PNG")
    return buffer.getvalue()


def _bands(size: tuple[int, int], boxes: Sequence[tuple[Row, tuple[float, float], Colour]]) -> Image.Image:
    """All bands on one layer: where boxes overlap the better one is seen, and the picture still shines through."""
    layer = Image.new("RGBA", size)
    pen = ImageDraw.Draw(layer)
    for times, opacity in _BANDS:
        for mean, edges, colour in boxes:
            for part in _frame(mean, times * edges[0], times * edges[1]):
                pen.rectangle(part, fill=(*colour, opacity))
    return layer


def _frame(mean: Row, dx: float, dy: float) -> list[Corners]:
    """The band of so many pixels on both sides of a box's edges: its four sides, or one piece if it covers the box."""
    left, top, right, bottom = _corners(mean)
    out = (left - dx, top - dy, right + dx, bottom + dy)
    if right - left <= 2 * dx or bottom - top <= 2 * dy:
        return [out]
    return [
        (out[0], out[1], out[2], top + dy),
        (out[0], bottom - dy, out[2], out[3]),
        (out[0], top + dy, left + dx, bottom - dy),
        (right - dx, top + dy, out[2], bottom - dy),
    ]


def _corners(mean: Row) -> Corners:
    x, y, w, h = (float(value) for value in mean)
    w, h = max(w, 0.0), max(h, 0.0)
    return x - w / 2, y - h / 2, x + w / 2, y + h / 2


@final
class _Pen:
    """Draws onto an image, as thick and large as the image asks for."""

    def __init__(self, image: Image.Image, thickness: int) -> None:
        self.image = image
        self.scale = thickness * max(1.0, max(image.size) / (1.5 * _SIDE))
        self.font = ImageFont.load_default(13 * self.scale)
        self.pen = ImageDraw.Draw(image)

    def outline(self, mean: Row, colour: Colour) -> None:
        self.pen.rectangle(_corners(mean), outline=(*colour, 255), width=round(2 * self.scale))

    def label(self, mean: Row, text: str, colour: Colour) -> None:
        width, height = self.pen.textlength(text, self.font) + 6 * self.scale, 16 * self.scale
        left, top, _, _ = _corners(mean)
        left = max(0.0, min(left, self.image.width - width - 1))
        top = max(0.0, min(top - height, self.image.height - height - 1))
        self.pen.rectangle((left, top, left + width, top + height), fill=(*colour, 255))
        at = (left + 3 * self.scale, top + self.scale)
        self.pen.text(at, text, font=self.font, fill=(255, 255, 255, 255))
