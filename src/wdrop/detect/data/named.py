"""A data set by its name, or by a folder that shows what it is."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from wdrop.detect.data import DETECTION_DATASETS, load_detection
from wdrop.detect.data.rendered import RenderedSet
from wdrop.detect.data.source import DetectionSet, SplitName
from wdrop.detect.geometry.boxes import Size

_SIGNS: dict[str, tuple[tuple[str, ...], ...]] = {  # of each group one must be there
    "kitti": (("training/label_2",), ("ImageSets",)),
    "coco": (("annotations",),),
    "yolo": (("labels",), ("classes.txt", "data.yaml")),
}


def open_set(
    name: str, split: SplitName, *, folder: Path | None = None, input_size: Size | None = None, **options: Any
) -> DetectionSet | RenderedSet:
    """The split of the data set of that name; or, if the name is that of a folder, of what lies in it.

    input_size  of the network, to whose shape sets like KITTI are cropped; the paper's if not told
    """
    if name not in DETECTION_DATASETS and folder is None and Path(name).is_dir():
        folder = Path(name)
        name = recognised(folder)
    if name not in DETECTION_DATASETS and ("/" in name or "\\" in name):
        raise FileNotFoundError(f"{name}: expected a data set's name or a folder, found no folder there")
    if input_size is not None and name in DETECTION_DATASETS:
        options = {**_crop(name, input_size), **options}
    return load_detection(name, split, folder=folder, **options)


def _crop(name: str, size: Size) -> dict[str, Any]:
    """The set's own crop in the shape of that input, as an option; none for sets that are not cropped."""
    own = getattr(DETECTION_DATASETS[name], "crop", None)
    return {} if own is None else {"crop": replace(own, aspect=size.width / size.height)}


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
