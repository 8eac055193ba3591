"""nuImages: tables as JSON lists, joined by tokens; only key frames carry boxes."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdrop.detect.data.classes import NUIMAGES as WORDS
from wdrop.detect.data.reading.texts import Complain, extent, four, identity, part, read_json
from wdrop.detect.data.sample import LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

_VERSION = {"train": "v1.0-train", "test": "v1.0-val"}


def read(
    folder: Path, split: SplitName, complain: Complain, *, version: str | None = None
) -> Iterator[LabelledPicture]:
    """The key frames of all six cameras, out of the tables of `version` (v1.0-train and v1.0-val unless told)."""
    tables = part(folder, version or _VERSION[split])
    words = {entry["token"]: entry["name"] for entry in _table(tables, "category", "token", "name")}
    key_frames = [entry for entry in _table(tables, "sample_data", "token", "filename") if entry.get("is_key_frame")]
    known_frames = {entry["token"] for entry in key_frames}
    of_frame: dict[str, list[LabelledObject]] = defaultdict(list)
    path = tables / "object_ann.json"
    for number, entry in enumerate(_table(tables, "object_ann")):
        where = f"{path}: [{number}]"
        box, frame = four(entry.get("bbox")), identity(entry.get("sample_data_token"))
        if box is None:
            complain(f"{where}: expected bbox with four numbers, got {entry.get('bbox')!r}")
        elif frame not in known_frames:
            complain(f"{where}: expected sample_data_token of a key frame, got {entry.get('sample_data_token')!r}")
        else:
            word = words.get(str(entry.get("category_token")), f"token {entry.get('category_token')}")
            of_frame[str(frame)].append(LabelledObject(word, box, where))
    for entry in key_frames:
        where = f"{tables / 'sample_data.json'}: {entry['token']}"
        size = extent(entry.get("width"), entry.get("height"))
        if size is None and entry.get("width") and entry.get("height"):
            complain(f"{where}: expected width and height in pixels, got {entry['width']!r} and {entry['height']!r}")
            continue
        yield LabelledPicture(folder / entry["filename"], of_frame[entry["token"]], where, size)


def _table(folder: Path, name: str, *keys: str) -> list[dict[str, Any]]:
    path = part(folder, f"{name}.json")
    found: list[dict[str, Any]] = read_json(path, list)
    for number, entry in enumerate(found):
        if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in keys):
            wanted = f"an object with {', '.join(keys)} as text" if keys else "an object"
            raise ValueError(f"{path}: [{number}]: expected {wanted}, got {str(entry)[:80]}")
    return found


SOURCE = FileSource(
    name="nuimages",
    tree="""\
nuimages/
  v1.0-train/, v1.0-val/              category.json, object_ann.json, sample_data.json ...; v1.0-val is our test
  samples/CAM_FRONT/*.jpg ...         key frames of six cameras, 1600 x 900""",
    read=read,
    words=WORDS,
)
