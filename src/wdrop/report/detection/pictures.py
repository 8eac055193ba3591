"""Figures out of pictures: what corruptions look like, and what detectors find."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from PIL import Image, ImageDraw

from wdrop._random import generator_for
from wdrop.detect.data.rendered import render
from wdrop.detect.data.sample import Picture, Sample
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.scores.corruptions import PUBLISHED, corrupted
from wdrop.report.detection.boxes import TRUE_BOX
from wdrop.report.figures import look

_TITLES = {"defocus-blur": "defocus blur, severity 1", "gaussian-noise": "Gaussian noise, std 20"}


def corruptions_figure(sample: Sample | None = None) -> Figure:
    """A picture as it is, blurred, and noisy, with its true boxes; a scene drawn by wdrop if none is given."""
    if sample is None:
        sample = render(Size(672, 384), name="example", generator=generator_for("corruptions figure"))
    versions = {"original": sample} | {_TITLES[name]: corrupted(sample, name) for name in PUBLISHED}
    return panels_figure({title: _boxed(one) for title, one in versions.items()}, n_columns=3)


def panels_figure(pictures: Mapping[str, Picture], *, n_columns: int) -> Figure:
    """Pictures under their titles, side by side."""
    n_rows = -(-len(pictures) // n_columns)
    height = max(picture.shape[0] / picture.shape[1] for picture in pictures.values())
    with look():
        figure = Figure(figsize=(4.6 * n_columns, (4.6 * height + 0.3) * n_rows), layout="constrained")
        flat = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
        for ax in flat:
            ax.axis("off")
        for ax, (title, picture) in zip(flat, pictures.items(), strict=False):
            ax.imshow(picture)
            ax.set_title(title)
    return figure


def _boxed(sample: Sample) -> Picture:
    image = Image.fromarray(sample.image)
    pen = ImageDraw.Draw(image)
    for left, top, right, bottom in sample.boxes.tolist():
        pen.rectangle((left, top, right, bottom), outline=TRUE_BOX, width=2)
    return np.asarray(image)
