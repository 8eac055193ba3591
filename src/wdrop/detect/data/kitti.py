"""KITTI's 2D object detection: fifteen columns a line, lists beside."""

from collections.abc import Iterator
from pathlib import Path

from wdrop.detect.data.classes import KITTI as WORDS
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.fingerprint import fingerprint_of
from wdrop.detect.data.reading.pictures import ENDINGS, with_any_ending
from wdrop.detect.data.reading.texts import Complain, lines, numbers, part
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_COLUMNS = 15  # detections add a score
_LIST = {
    "train": "train.txt",
    "test": "val.txt",
}  # the halves of the labelled pictures; official test labels are secret
_N_PICTURES = 7481  # with public labels
_MINI = "9f67bc78d9a4"  # the fingerprint of kitti-mini's two lists


def read(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    """The pictures on the split's list."""
    listed = part(folder, f"ImageSets/{_LIST[split]}")
    labels, pictures = part(folder, "training/label_2"), part(folder, "training/image_2")
    for line, where in lines(listed):
        name = line.strip()
        path = labels / f"{name}.txt"
        if not path.exists():
            complain(f"{where}: expected labels in {path}, found no file")
            continue
        yield LabelledPicture(with_any_ending(pictures / name), list(objects(path, complain)), str(path))


def objects(path: Path, complain: Complain) -> Iterator[LabelledObject]:
    """The objects of one label file; an empty file is a picture without objects."""
    for line, where in lines(path):
        fields = line.split()
        values = numbers(fields[1:])
        if len(fields) not in (_COLUMNS, _COLUMNS + 1) or values is None:
            complain(f"{where}: expected a class and {_COLUMNS - 1} numbers, got {line!r}")
            continue
        yield LabelledObject(fields[0], (values[3], values[4], values[5], values[6]), where)


def called(folder: Path) -> str:
    """`kitti-mini` if the lists are that part's, `kitti` if all labelled pictures are here, else `kitti-part`."""
    if fingerprint_of(*(_listed(folder / "ImageSets" / name) for name in _LIST.values())) == _MINI:
        return "kitti-mini"
    files = (folder / "training" / "image_2").iterdir()  # where other files gather too
    numbered = {path.stem for path in files if path.suffix in ENDINGS and path.stem.isdigit()}
    return "kitti" if len(numbered) == _N_PICTURES else "kitti-part"


def _listed(path: Path) -> list[str]:
    return [line.strip() for line, _ in lines(path)] if path.exists() else []


SOURCE = FileSource(
    name="kitti",
    tree="""\
kitti/
  training/image_2/000000.png ...     pictures (.png or .jpg)
  training/label_2/000000.txt ...     type truncated occluded alpha left top right bottom + 7 numbers, a line an object
  ImageSets/train.txt, val.txt        a picture's number a line; val is our test (usual: 3712 and 3769, by drives)""",
    read=read,
    words=WORDS,
    crop=Crop(),
    called=called,
)
