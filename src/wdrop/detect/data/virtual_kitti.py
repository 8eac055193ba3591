"""Virtual KITTI in KITTI's layout: a synthetic stand-in, cars only."""

from collections.abc import Iterator
from pathlib import Path

from wdrop.detect.data.classes import KITTI as WORDS
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.kitti import objects
from wdrop.detect.data.reading.pictures import with_any_ending
from wdrop.detect.data.reading.texts import Complain, part
from wdrop.detect.data.sample import LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_SIZE = (1242, 375)  # of all its pictures; copies are often stored smaller, labels stay
_TRAIN_SHARE = 0.7


def read(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    """The first seven tenths of the frames for training, the rest as test: frames are video, shuffling would leak."""
    labels, pictures = part(folder, "training/label_2"), part(folder, "training/image_2")
    paths = sorted(labels.glob("*.txt"))
    border = round(_TRAIN_SHARE * len(paths))
    for path in paths[:border] if split == "train" else paths[border:]:
        yield LabelledPicture(
            with_any_ending(pictures / path.stem), list(objects(path, complain)), str(path), size=_SIZE
        )


SOURCE = FileSource(
    name="virtual_kitti",
    tree="""\
virtual_kitti/
  training/image_2/000000.jpg ...     pictures, 1242 x 375 or smaller copies of that shape
  training/label_2/000000.txt ...     KITTI's fifteen columns, in pixels of 1242 x 375""",
    read=read,
    words=WORDS,
    crop=Crop(),
)
