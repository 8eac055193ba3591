"""A data set by its name, or by a folder that shows what it is."""

from pathlib import Path
from typing import Any

from wdrop.detect.data import DETECTION_DATASETS, load_detection
from wdrop.detect.data.rendered import RenderedSet
from wdrop.detect.data.source import DetectionSet, SplitName

_SIGNS: dict[str, tuple[tuple[str, ...], ...]] = {  # of each group one must be there
    "kitti": (("training/label_2",), ("ImageSets",)),
    "coco": (("annotations",),),
    "yolo": (("labels",), ("classes.txt", "data.yaml")),
}


def open_set(name: str, split: SplitName, *, folder: Path | None = None, **options: Any) -> DetectionSet | RenderedSet:
    """The split of the data set of that name; or, if the name is that of a folder, of what lies in it."""
    if name not in DETECTION_DATASETS and folder is None and Path(name).is_dir():
        folder = Path(name)
        name = recognised(folder)
    if name not in DETECTION_DATASETS and ("/" in name or "\\" in name):
        raise FileNotFoundError(f"{name}: expected a data set's name or a folder, found no folder there")
    return load_detection(name, split, folder=folder, **options)


def recognised(folder: Path) -> str:
    """The layout of the folder: KITTI's, COCO's or YOLO's."""
    for name, groups in _SIGNS.items():
        if all(any((folder / sign).exists() for sign in group) for group in groups):
            return name
    trees = "\n".join(DETECTION_DATASETS[name].tree for name in ("coco", "yolo"))
    raise FileNotFoundError(
        f"{folder}: found no layout that is known by itself (kitti, coco, yolo); name the data set and its folder "
        f"apart, or bring it into one of these\n{trees}"
    )
