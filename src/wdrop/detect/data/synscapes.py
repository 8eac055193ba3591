"""SynScapes: a JSON file a picture, boxes relative to the picture's size, Cityscapes' class numbers."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import torch

from wdrop._random import generator_for
from wdrop.detect.data.classes import SYNSCAPES as WORDS
from wdrop.detect.data.reading.pictures import with_any_ending
from wdrop.detect.data.reading.texts import Complain, extent, lines, numbers, part, read_json
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_N_PICTURES, _N_TEST = 25_000, 5_000


def read(folder: Path, split: SplitName, complain: Complain, *, max_occluded: float = 0.9) -> Iterator[LabelledPicture]:
    """The split's pictures, without objects of which more than `max_occluded` is hidden (its authors' own limit)."""
    labels, pictures = part(folder, "meta"), part(folder, "img/rgb", "img/rgb-2k")
    wanted = _listed(folder, split)
    for path in sorted(labels.glob("*.json"), key=lambda path: (len(path.stem), path.stem)):
        if path.stem not in wanted:
            continue
        try:
            size, boxes, classes, occluded = _tables(path)
        except ValueError as error:
            complain(str(error))
            continue
        objects = list(_objects(path, boxes, classes, occluded, size, max_occluded, complain))
        yield LabelledPicture(with_any_ending(pictures / path.stem), objects, str(path), size)


def _tables(path: Path) -> tuple[tuple[int, int], dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The picture's size, and by instance its box, its class and how much of it is hidden."""
    meta = read_json(path, dict)
    try:
        size = extent(meta["camera"]["intrinsic"]["resx"], meta["camera"]["intrinsic"]["resy"])
        instances = {"occluded": {}, **meta["instance"]}
        boxes, classes, occluded = (dict(instances[key]) for key in ("bbox2d", "class", "occluded"))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: expected camera.intrinsic and instance with bbox2d, class; missed {error}") from None
    if size is None:
        raise ValueError(f"{path}: expected resx and resy in pixels, got {meta['camera']['intrinsic']}")
    return size, boxes, classes, occluded


def _objects(
    path: Path,
    boxes: dict[str, Any],
    classes: dict[str, Any],
    occluded: dict[str, Any],
    size: tuple[int, int],
    max_occluded: float,
    complain: Complain,
) -> Iterator[LabelledObject]:
    for key, box in boxes.items():
        where = f"{path}: instance {key}"
        relative = (
            numbers([box.get(side) for side in ("xmin", "ymin", "xmax", "ymax")]) if isinstance(box, dict) else None
        )
        word, hidden = classes.get(key), numbers([occluded.get(key, 0)])
        if relative is None or word is None:
            complain(f"{where}: expected bbox2d with xmin, ymin, xmax, ymax and a class, got {box} and {word}")
        elif hidden is None:
            complain(f"{where}: expected occluded as a number, got {occluded[key]!r}")
        elif hidden[0] <= max_occluded:
            left, top, right, bottom = relative
            width, height = size
            yield LabelledObject(str(word), (left * width, top * height, right * width, bottom * height), where)


def _listed(folder: Path, split: SplitName) -> frozenset[str]:
    """The numbers of the split's pictures: from a list in the folder, else from a random split that never changes."""
    own = folder / f"{split}.txt"
    if own.exists():
        return frozenset(line.strip() for line, _ in lines(own))
    return _random_split()[split]


@cache
def _random_split() -> dict[str, frozenset[str]]:
    order = torch.randperm(_N_PICTURES, generator=generator_for("synscapes", "split")) + 1
    test, train = order[:_N_TEST].tolist(), order[_N_TEST:].tolist()
    return {"train": frozenset(map(str, train)), "test": frozenset(map(str, test))}


SOURCE = FileSource(
    name="synscapes",
    tree="""\
synscapes/
  img/rgb/1.png ... 25000.png         pictures, 1440 x 720 (or img/rgb-2k)
  meta/1.json ...                     camera.intrinsic.{resx, resy}, instance.{bbox2d, class, occluded}
  train.txt, test.txt                 a picture's number a line; without them a fixed random split, 20000 and 5000""",
    read=read,
    words=WORDS,
)
