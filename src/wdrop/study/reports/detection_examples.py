"""What detectors find in pictures of the data they were trained on."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from wdrop.detect.data.classes import CLASSES
from wdrop.detect.data.sample import Picture
from wdrop.detect.finding.detections import Detections
from wdrop.prediction import Prediction
from wdrop.report.detection.boxes import drawn
from wdrop.report.detection.pictures import panels_figure
from wdrop.report.detection.rows import PROTOCOLS, PUBLISHED_PROTOCOL, Contestant
from wdrop.study.detection.examples import SHOWN
from wdrop.study.plan import Run, Study
from wdrop.study.reports.parts import Drawn
from wdrop.study.store import Store

Arrays = Mapping[str, NDArray[Any]]
_MARGIN = 0.25  # of the objects' extent, around them


def examples(study: Study, store: Store) -> list[Drawn]:
    """A figure for each way to find boxes: a row for each method, a column for each picture."""
    kept = [(run, store.arrays(run)) for run in _shown(study, store)]
    figures = []
    for protocol in (PUBLISHED_PROTOCOL, "closed_form"):
        panels = {title: panel for run, arrays in kept for title, panel in _panels(run, arrays, protocol)}
        if panels:
            n_pictures = len(panels) // len(kept)
            figure = panels_figure(panels, n_columns=n_pictures)
            caption = _caption(kept[0][0], protocol, n_pictures)
            figures.append(Drawn(f"examples_{protocol}", figure, caption, photographs=True))
    return figures


def _shown(study: Study, store: Store) -> list[Run]:
    """The first seed of every method on the first data set that may be shown and of which pictures are kept."""
    runs = [run for run in study.runs if run.is_detection and run.dataset in SHOWN and store.has(run)]
    runs = [run for run in runs if store.has_arrays(run) and "example/0/truth" in store.arrays(run)]
    return [run for run in runs if (run.dataset, run.seed) == (runs[0].dataset, runs[0].seed)]


def _caption(run: Run, protocol: str, n_pictures: int) -> str:
    return (
        f"Detectors trained on {run.dataset} (seed {run.seed}), on {n_pictures} of {run.dataset}'s test pictures, "
        f"chosen for their large objects and cut to them; {PROTOCOLS[protocol]}. Yellow: the true boxes. In colour: "
        "the boxes that a detector's scores are about, those matched to a true one, with class and score; dark and "
        "light bands reach one and two stds to both sides of an edge."
    )


def _panels(run: Run, arrays: Arrays, protocol: str) -> Iterator[tuple[str, Picture]]:
    number = 0
    while f"example/{number}/truth" in arrays:
        place = f"example/{number}"
        picture, truth = arrays[f"{place}/picture"], arrays[f"{place}/truth"]
        left, top, right, bottom = window(truth, picture.shape[1], picture.shape[0])
        values = (
            torch.from_numpy(arrays[f"{place}/{protocol}/{name}"]) for name in ("mean", "std", "classes", "scores")
        )
        centres, std, classes, scores = values
        moved = centres - torch.tensor([left, top, 0, 0])
        found = Detections(Prediction(moved, std), classes, scores)
        cut = np.ascontiguousarray(picture[top:bottom, left:right])
        label = Contestant(run.method_name, run.variant).label
        yield (
            f"{label}, picture {number + 1}",
            drawn(cut, found, CLASSES, truth - np.array([left, top, left, top]), thickness=2),
        )
        number += 1


def window(corners: NDArray[np.float64], width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of a picture that holds these boxes with some margin, in its proportions."""
    low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
    scale = min(1.0, float(((high - low) * (1 + 2 * _MARGIN) / (width, height)).max()))
    size = np.round(np.array([width, height]) * scale).astype(int)
    start = np.clip(np.round((low + high - size) / 2).astype(int), 0, (width, height) - size)
    return int(start[0]), int(start[1]), int(start[0] + size[0]), int(start[1] + size[1])
