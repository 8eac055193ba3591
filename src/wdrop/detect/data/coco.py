"""COCO's JSON: pictures, annotations and categories in one file a split. Bring your own."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from wdrop.detect.data.classes import Words
from wdrop.detect.data.reading.texts import Complain, extent, four, identity, part, read_json, shown
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_FILES = {
    "train": ("annotations/train.json", "annotations/instances_train2017.json"),
    "test": ("annotations/test.json", "annotations/val.json", "annotations/instances_val2017.json"),
}
_PICTURES = {"train": ("images/train", "train", "train2017"), "test": ("images/test", "images/val", "val2017")}


def read(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    """The split's pictures; a picture is looked for in the folders that COCO copies commonly use."""
    places = [folder / name for name in (*_PICTURES[split], "images", ".") if (folder / name).is_dir()]

    def picture(name: str) -> Path:
        return next((place / name for place in places if (place / name).exists()), places[0] / name)

    return read_coco(part(folder, *_FILES[split]), picture, complain)


def words(folder: Path, split: SplitName) -> Words:
    """All categories of the training file, each meaning itself."""
    path = part(folder, *_FILES["train"], *_FILES[split])
    return {name: name for name in _categories(path, read_json(path, dict)).values()}


def read_coco(
    path: Path,
    picture: Callable[[str], Path],
    complain: Complain,
    wanted: Callable[[dict[str, Any]], bool] = lambda annotation: True,
) -> Iterator[LabelledPicture]:
    """The pictures of a COCO file, boxes from [left, top, width, height]; crowd regions are left out."""
    content = read_json(path, dict)
    names = _categories(path, content)
    images, annotations = _table(path, content, "images"), _table(path, content, "annotations")
    identities = _identities(path, images)
    of_picture: dict[Any, list[LabelledObject]] = defaultdict(list)
    for number, annotation in enumerate(annotations):
        where = f"{path}: annotations[{number}]"
        box = four(annotation.get("bbox"))
        if identity(annotation.get("image_id")) not in identities:
            complain(f"{where}: expected image_id of a picture in images, got {shown(annotation.get('image_id'))}")
        elif box is None:
            complain(f"{where}: expected bbox with four numbers, got {shown(annotation.get('bbox'))}")
        elif wanted(annotation) and not annotation.get("iscrowd"):
            word = names.get(identity(annotation.get("category_id")), f"number {annotation.get('category_id')}")
            left, top, width, height = box
            of_picture[annotation["image_id"]].append(
                LabelledObject(word, (left, top, left + width, top + height), where)
            )
    for number, entry in enumerate(images):
        where = f"{path}: images[{number}]"
        if not isinstance(entry.get("file_name"), str):
            complain(f"{where}: expected file_name, got {shown(entry)}")
            continue
        size = extent(entry.get("width"), entry.get("height"))
        if size is None and entry.get("width") and entry.get("height"):
            complain(f"{where}: expected width and height in pixels, got {entry['width']!r} and {entry['height']!r}")
            continue
        yield LabelledPicture(picture(entry["file_name"]), of_picture[entry["id"]], where, size)


def _table(path: Path, content: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = content.get(key)
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise ValueError(f"{path}: expected a list of objects under {key!r}, got {type(found).__name__}")
    return found


def _identities(path: Path, images: list[dict[str, Any]]) -> set[Any]:
    """The pictures' ids; if two had the same, nobody would know whose boxes are whose."""
    found: set[Any] = set()
    for number, entry in enumerate(images):
        own = identity(entry.get("id"))
        if own is None or own in found:
            raise ValueError(
                f"{path}: images[{number}]: expected an id that no other picture has, got {entry.get('id')!r}"
            )
        found.add(own)
    return found


def _categories(path: Path, content: dict[str, Any]) -> dict[Any, str]:
    found: dict[Any, str] = {}
    for number, entry in enumerate(_table(path, content, "categories")):
        own = identity(entry.get("id"))
        if own is None or own in found or entry.get("name") in (None, ""):
            raise ValueError(f"{path}: categories[{number}]: expected an id of its own and a name, got {shown(entry)}")
        found[own] = str(entry["name"])
    return found


SOURCE = FileSource(
    name="coco",
    tree="""\
<folder>/
  annotations/train.json, test.json      images, annotations with bbox [left, top, width, height], categories
  images/train/..., images/test/...      pictures by their file_name (or all in images/)""",
    read=read,
    words=words,
)
