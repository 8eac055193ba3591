"""The pictures of a split as a detector sees them."""

from pathlib import Path
from typing import Any

from wdrop._checks import known
from wdrop.detect.data import DETECTION_DATASETS
from wdrop.detect.data.named import open_set
from wdrop.detect.data.reading.judging import Bad
from wdrop.detect.data.rendered import RenderedSet, RenderedSource
from wdrop.detect.data.source import SPLITS, DetectionSet, SplitName
from wdrop.detect.geometry.boxes import Size


def open_pictures(
    data: str,
    split: SplitName,
    size: Size,
    *,
    folder: Path | None = None,
    n_scenes: int | None = None,
    bad: Bad = "refuse",
    verify: bool = False,
) -> DetectionSet | RenderedSet:
    """The split of the data set of that name, or in that folder, in the shape that a network with that input sees.

    n_scenes     how many are drawn, where scenes are drawn and not read
    bad, verify  see `FileSource.load`: what becomes of wrong entries, and whether all pictures are read at once
    """
    known("split", split, SPLITS)
    if isinstance(DETECTION_DATASETS.get(data), RenderedSource):
        options: dict[str, Any] = {"n_pictures": n_scenes} if n_scenes else {}
        return open_set(data, split, folder=folder, **options)
    return open_set(data, split, folder=folder, input_size=size, bad=bad, verify=verify)
