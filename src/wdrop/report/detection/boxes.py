"""Boxes on a picture, each edge with the band in which it lies."""

from collections.abc import Sequence
from io import BytesIO
from typing import final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from wdrop.detect.finding.detections import Detections

Picture = NDArray[np.uint8]
_COLOURS = ((217, 72, 15), (28, 126, 214), (47, 158, 68), (174, 62, 201), (230, 119, 0), (12, 133, 153))
_BANDS = ((2, 60), (1, 95))  # how many stds, opacity: the inner band lies on the outer
_WIDTH = 1200  # pixels: small pictures are drawn larger, or a std of a pixel could not be seen


def drawn(picture: Picture, detections: Detections, classes: Sequence[str]) -> Picture:
    """The picture with the boxes: a line at the mean, bands of one and two stds around each edge.

    The std of an edge takes centre and extent as independent: left = cx - w/2 has variance σ_cx² + σ_w²/4.
    """
    factor = max(1, round(_WIDTH / picture.shape[1]))
    image = Image.fromarray(picture).convert("RGBA")
    image = image.resize((image.width * factor, image.height * factor), Image.Resampling.BICUBIC)
    pen = _Pen(image)
    mean, std = (values.double().cpu().numpy() * factor for values in (detections.boxes.mean, detections.boxes.std))
    order = np.argsort(detections.scores.cpu().numpy())  # the best on top
    numbers = detections.classes.tolist()
    for row in order:
        pen.box(mean[row], edge_std(std[row]), _COLOURS[numbers[row] % len(_COLOURS)])
    for row in order:  # after all boxes, whose bands would wash them out
        name = classes[numbers[row]] if 0 <= numbers[row] < len(classes) else "?"
        text = f"{name} {float(detections.scores[row]):.2f}"
        pen.label(mean[row], text, _COLOURS[numbers[row] % len(_COLOURS)])
    return np.asarray(pen.image.convert("RGB"))


def edge_std(std: NDArray[np.float64]) -> tuple[float, float]:
    """The std of the upright and of the level edges, out of those of cx, cy, w, h."""
    x, y, w, h = std
    return float(np.hypot(x, w / 2)), float(np.hypot(y, h / 2))


def drawn_png(picture: Picture, detections: Detections, classes: Sequence[str]) -> bytes:
    """The same as a PNG file."""
    buffer = BytesIO()
    Image.fromarray(drawn(picture, detections, classes)).save(buffer, "PNG")
    return buffer.getvalue()


@final
class _Pen:
    """Draws onto an image through layers that let it shine through."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.font = ImageFont.load_default(13)

    def box(self, mean: NDArray[np.float64], edges: tuple[float, float], colour: tuple[int, int, int]) -> None:
        x, y, w, h = (float(value) for value in mean)
        for times, opacity in _BANDS:
            dx, dy = times * edges[0], times * edges[1]
            layer = Image.new("RGBA", self.image.size)
            pen = ImageDraw.Draw(layer)
            pen.rectangle((x - w / 2 - dx, y - h / 2 - dy, x + w / 2 + dx, y + h / 2 + dy), fill=(*colour, opacity))
            if w > 2 * dx and h > 2 * dy:  # else the band covers the box
                inner = (x - w / 2 + dx, y - h / 2 + dy, x + w / 2 - dx, y + h / 2 - dy)
                pen.rectangle(inner, fill=(0, 0, 0, 0))
            self.image = Image.alpha_composite(self.image, layer)
        corners = (x - w / 2, y - h / 2, max(x + w / 2, x - w / 2), max(y + h / 2, y - h / 2))
        ImageDraw.Draw(self.image).rectangle(corners, outline=(*colour, 255), width=2)

    def label(self, mean: NDArray[np.float64], text: str, colour: tuple[int, int, int]) -> None:
        pen = ImageDraw.Draw(self.image)
        width, height = pen.textlength(text, self.font) + 6, 16
        left = max(0.0, min(float(mean[0] - mean[2] / 2), self.image.width - width - 1))
        top = max(0.0, min(float(mean[1] - mean[3] / 2) - height, self.image.height - height - 1))
        pen.rectangle((left, top, left + width, top + height), fill=(*colour, 255))
        pen.text((left + 3, top + 1), text, font=self.font, fill=(255, 255, 255, 255))
