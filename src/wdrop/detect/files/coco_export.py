"""Detections as COCO's JSON, with a std for every coordinate: other tools read the boxes, ours the rest too."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wdrop._version import __version__
from wdrop.detect.finding.detections import Detections
from wdrop.detect.geometry.boxes import Size, to_corners


class FoundIn(NamedTuple):
    """What was found in the picture of that name and size."""

    name: str
    size: Size
    detections: Detections


def coco_table(found: Iterable[FoundIn], classes: Sequence[str]) -> dict[str, Any]:
    """COCO's `images`, `annotations` and `categories`.

    An annotation has COCO's own `bbox` [left, top, width, height] and `score`, and of ours `centre` [cx, cy, w, h] with
    `centre_std`, the std of each of these four in pixels.
    """
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, (name, size, detections) in enumerate(found, 1):
        images.append({"id": number, "file_name": name, "width": size.width, "height": size.height})
        for entry in _annotations(detections):
            annotations.append({"id": len(annotations) + 1, "image_id": number, **entry})
    return {
        "info": {"description": "boxes with a std for every coordinate", "written_by": f"wdrop {__version__}"},
        "images": images,
        "annotations": annotations,
        "categories": [{"id": number, "name": name} for number, name in enumerate(classes, 1)],
    }


def coco_text(found: Iterable[FoundIn], classes: Sequence[str]) -> str:
    """That table as a file holds it."""
    return json.dumps(coco_table(found, classes), indent=1, allow_nan=False)


def _annotations(detections: Detections) -> Iterable[dict[str, Any]]:
    mean, std = detections.boxes.mean.double().cpu(), detections.boxes.std.double().cpu()
    corners = to_corners(mean)
    for row in range(len(detections)):
        left, top, right, bottom = corners[row].tolist()
        yield {
            "category_id": int(detections.classes[row]) + 1,
            "bbox": _rounded([left, top, right - left, bottom - top]),
            "area": round((right - left) * (bottom - top), 3),
            "iscrowd": 0,
            "score": round(float(detections.scores[row]), 6),
            "centre": _rounded(mean[row].tolist()),
            "centre_std": _rounded(std[row].tolist()),
        }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 3) for value in values]
