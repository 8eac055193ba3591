"""CARLA object detection: Pascal VOC's XML, a file a picture; a synthetic stand-in without pedestrians."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from wdrop.detect.data.classes import CARLA as WORDS
from wdrop.detect.data.reading.pictures import with_any_ending
from wdrop.detect.data.reading.texts import Complain, extent, numbers, part
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName


def read(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    """The split's pictures, found by their label's name (the one inside says .png whatever is stored)."""
    labels, pictures = part(folder, f"labels/{split}"), part(folder, f"images/{split}")
    for path in sorted(labels.glob("*.xml")):
        try:
            root = ElementTree.fromstring(path.read_bytes())
        except ElementTree.ParseError as error:
            complain(f"{path}:{error.position[0]}: expected XML, got {error}")
            continue
        sides = [root.findtext(f"size/{side}") for side in ("width", "height")]
        size = extent(*sides)
        if size is None and any(side not in (None, "", "0") for side in sides):
            complain(f"{path}: expected width and height in pixels, got {sides[0]!r} and {sides[1]!r}")
            continue
        objects = list(_objects(path, root, complain))
        yield LabelledPicture(with_any_ending(pictures / path.stem), objects, str(path), size)


def _objects(path: Path, root: ElementTree.Element, complain: Complain) -> Iterator[LabelledObject]:
    for number, entry in enumerate(root.iter("object")):
        where = f"{path}: object[{number}]"
        corners = numbers([entry.findtext(f"bndbox/{side}") for side in ("xmin", "ymin", "xmax", "ymax")])
        if corners is None:
            complain(f"{where}: expected bndbox with xmin, ymin, xmax, ymax")
            continue
        left, top, right, bottom = corners
        yield LabelledObject(entry.findtext("name") or "", (left, top, right, bottom), where)


SOURCE = FileSource(
    name="carla",
    tree="""\
carla/
  images/train/Town01_001680.jpg ..., images/test/...      pictures, 640 x 380
  labels/train/Town01_001680.xml ..., labels/test/...      Pascal VOC""",
    read=read,
    words=WORDS,
)
