"""BDD100k: one list of frames a split, in the words of the 2020 or the 2018 release."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdrop.detect.data.classes import BDD100K as WORDS
from wdrop.detect.data.reading.texts import Complain, numbers, part, read_json
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_OWN = {"train": "train", "test": "val"}  # labels of the official test pictures are secret


def read(
    folder: Path, split: SplitName, complain: Complain, *, labels: Path | str | None = None
) -> Iterator[LabelledPicture]:
    """The split's pictures, labelled by the file of 2020, without it by that of 2018, or by `labels`."""
    own = _OWN[split]
    pictures = part(folder, f"images/100k/{own}")
    usual = (f"labels/det_20/det_{own}.json", f"labels/bdd100k_labels_images_{own}.json")
    path = part(folder, *(usual if labels is None else (str(labels),)))
    for number, frame in enumerate(read_json(path, list)):
        where = f"{path}: [{number}]"
        if not isinstance(frame, dict) or not isinstance(frame.get("name"), str):
            complain(f"{where}: expected a frame with a name, got {str(frame)[:80]}")
            continue
        entries = frame.get("labels") or []  # a frame without objects may lack them
        if not isinstance(entries, list):
            complain(f"{where}: expected a list of labels, got {str(entries)[:80]}")
            continue
        yield LabelledPicture(pictures / frame["name"], list(_objects(where, entries, complain)), where)


def _objects(where: str, entries: list[Any], complain: Complain) -> Iterator[LabelledObject]:
    for number, entry in enumerate(entries):
        if isinstance(entry, dict) and "box2d" not in entry:
            continue  # lanes and drivable areas of the 2018 release
        box = entry.get("box2d") if isinstance(entry, dict) else None
        corners = numbers([box.get(side) for side in ("x1", "y1", "x2", "y2")]) if isinstance(box, dict) else None
        if corners is None:
            complain(f"{where}.labels[{number}]: expected box2d with x1, y1, x2, y2, got {str(entry)[:80]}")
            continue
        left, top, right, bottom = corners
        yield LabelledObject(str(entry.get("category")), (left, top, right, bottom), f"{where}.labels[{number}]")


SOURCE = FileSource(
    name="bdd100k",
    tree="""\
bdd100k/
  images/100k/train/*.jpg, images/100k/val/*.jpg                   pictures, 1280 x 720; val is our test
  labels/det_20/det_train.json, det_val.json                       "Detection 2020"
  or labels/bdd100k_labels_images_train.json, ..._val.json         the release of 2018""",
    read=read,
    words=WORDS,
)
