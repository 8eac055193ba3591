"""Detection data sets by name, one file each; `load_detection` reads a split of any."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wdrop._checks import known
from wdrop.detect.data import (
    a2d2,
    bdd100k,
    carla,
    coco,
    kitti,
    nightowls,
    nuimages,
    rendered,
    synscapes,
    virtual_kitti,
    yolo,
)
from wdrop.detect.data.classes import CLASSES
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.reading.judging import LabelError, Tally
from wdrop.detect.data.rendered import RenderedSet, RenderedSource, render
from wdrop.detect.data.sample import Frame, Sample
from wdrop.detect.data.source import DetectionSet, FileSource, Samples, SplitName

__all__ = [
    "CLASSES", "DETECTION_DATASETS", "Crop", "DetectionSet", "Frame", "LabelError", "RenderedSet", "Sample", "Samples",
    "Tally", "load_detection", "render",
]  # fmt: skip

DETECTION_DATASETS: Mapping[str, FileSource | RenderedSource] = MappingProxyType(
    {
        "kitti": kitti.SOURCE,
        "synscapes": synscapes.SOURCE,
        "a2d2": a2d2.SOURCE,
        "nightowls": nightowls.SOURCE,
        "nuimages": nuimages.SOURCE,
        "bdd100k": bdd100k.SOURCE,
        "virtual_kitti": virtual_kitti.SOURCE,
        "carla": carla.SOURCE,
        "rendered": rendered.SOURCE,
        "coco": coco.SOURCE,
        "yolo": yolo.SOURCE,
    }
)


def load_detection(
    name: str, split: SplitName, *, folder: Path | str | None = None, **options: Any
) -> DetectionSet | RenderedSet:
    """The split `train` or `test` of the data set of that name.

    Options of all sets in files: `crop`, `bad="skip"`, `verify`, `keep_empty` (see `FileSource.load`); then each
    reader's own. `folder` is needed where it lies in neither `$WDROP_DATA` nor the cache.
    """
    known("detection data set", name, DETECTION_DATASETS)
    return DETECTION_DATASETS[name].load(split, folder=folder, **options)
