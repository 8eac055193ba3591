"""NightOwls: one COCO-like file a split; its boxes are top left and size."""

from collections.abc import Iterator
from pathlib import Path

from wdrop.detect.data.classes import NIGHTOWLS as WORDS
from wdrop.detect.data.coco import read_coco
from wdrop.detect.data.reading.texts import Complain, part
from wdrop.detect.data.sample import LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_OWN = {"train": "nightowls_training", "test": "nightowls_validation"}


def read(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    """The official training and validation pictures; ignore regions are left out."""
    pictures = part(folder, _OWN[split])
    return read_coco(
        part(folder, f"{_OWN[split]}.json"),
        lambda name: pictures / name,
        complain,
        wanted=lambda annotation: not annotation.get("ignore"),
    )


SOURCE = FileSource(
    name="nightowls",
    tree="""\
nightowls/
  nightowls_training.json, nightowls_validation.json      images, annotations, categories; validation is our test
  nightowls_training/<24 hex>.png ...                     pictures, 1024 x 640
  nightowls_validation/<24 hex>.png ...""",
    read=read,
    words=WORDS,
)
