"""YOLO folders: a text file a picture, boxes relative to its size. Bring your own."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wdrop.detect.data.classes import Words
from wdrop.detect.data.reading.pictures import ENDINGS, UnreadablePictureError, picture_size
from wdrop.detect.data.reading.texts import Complain, lines, numbers, part
from wdrop.detect.data.reading.yaml_names import names_in_yaml
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_OWN = {"train": ("train",), "test": ("test", "val", "valid")}


def read(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    """The split's pictures; one without a label file has no objects, as is usual with YOLO; the reverse is wrong."""
    pictures = part(folder, *(f"images/{own}" for own in _OWN[split]))
    labels, names = folder / "labels" / pictures.name, class_names(folder)
    found = sorted(path for path in pictures.iterdir() if path.suffix.lower() in ENDINGS)
    for stem in sorted({path.stem for path in labels.glob("*.txt")} - {path.stem for path in found}):
        complain(f"{labels / stem}.txt: expected a picture {stem} in {pictures}, found no file")
    for picture in found:
        path = labels / f"{picture.stem}.txt"
        try:
            size = picture_size(picture)
        except UnreadablePictureError as error:
            complain(str(error))
            continue
        objects = list(_objects(path, names, size, complain)) if path.exists() else []
        yield LabelledPicture(picture, objects, str(path))


def words(folder: Path, split: SplitName) -> Words:
    """Every class, meaning itself."""
    return {name: name for name in class_names(folder).values()}


def class_names(folder: Path) -> dict[int, str]:
    """The classes by number, from `classes.txt`, where they are counted from 0, or the `names` of `data.yaml`."""
    path = part(folder, "classes.txt", "data.yaml")
    names = names_in_yaml(path) if path.name == "data.yaml" else _names_by_line(path)
    twice = [name for name, times in Counter(names.values()).items() if times > 1]
    if twice:
        raise ValueError(f"{path}: expected names of which each stands once, got {twice[0]!r} more than once")
    return names


def _names_by_line(path: Path) -> dict[int, str]:
    return {number: line.strip() for number, (line, _) in enumerate(lines(path))}


def _objects(path: Path, names: dict[int, str], size: tuple[int, int], complain: Complain) -> Iterator[LabelledObject]:
    width, height = size
    for line, where in lines(path):
        fields = line.split()
        values = numbers(fields)
        if values is None or len(fields) not in (5, 6) or not fields[0].isdecimal():  # the sixth is a score
            complain(f"{where}: expected a class number and x y w h relative to the picture, got {line!r}")
            continue
        number, x, y, w, h = (
            int(fields[0]),
            values[1] * width,
            values[2] * height,
            values[3] * width,
            values[4] * height,
        )
        word = names.get(number, f"number {number}")
        yield LabelledObject(word, (x - w / 2, y - h / 2, x + w / 2, y + h / 2), where)


SOURCE = FileSource(
    name="yolo",
    tree="""\
<folder>/
  classes.txt                                  a class a line (or data.yaml with names)
  images/train/a.jpg ..., images/test/...      pictures (val or valid serve as test)
  labels/train/a.txt ..., labels/test/...      class-number x y w h, relative to the picture, a line an object""",
    read=read,
    words=words,
)
