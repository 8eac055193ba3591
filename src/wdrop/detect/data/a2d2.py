"""A2D2: boxes out of the segmentation, as in the paper; or its 3D boxes' hulls on pictures freed from the lens."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from wdrop._checks import known
from wdrop.detect.data.classes import A2D2 as WORDS
from wdrop.detect.data.reading.lens import Lens
from wdrop.detect.data.reading.pictures import open_picture, with_any_ending
from wdrop.detect.data.reading.remembered import Remembered
from wdrop.detect.data.reading.texts import Complain, four, part, read_json
from wdrop.detect.data.sample import Box, LabelledObject, LabelledPicture
from wdrop.detect.data.source import FileSource, SplitName

TEST_SCENES = ("20181008_095521", "20181107_132300", "20180925_101535", "20181204_191844")
SET_APART = ("20180810_142822",)
_CAMERA = "cam_front_center"


def read(
    folder: Path,
    split: SplitName,
    complain: Complain,
    *,
    boxes: Literal["segmentation", "label3D"] = "segmentation",
    min_pixels: int = 100,
) -> Iterator[LabelledPicture]:
    """The split's front-centre pictures; the paper's test scenes, its one scene set apart, the rest for training.

    `boxes="segmentation"`: connected parts of one instance colour, at least `min_pixels` large, since an object
    behind a pole falls into pieces. `"label3D"`: hulls of projected 3D boxes, which hold for the undistorted picture.
    """
    known("kind of A2D2 boxes", boxes, ("segmentation", "label3D"))
    if boxes == "segmentation":
        return _segmented(folder, split, complain, min_pixels)
    return _hulled(folder, split, complain)


def _segmented(folder: Path, split: SplitName, complain: Complain, min_pixels: int) -> Iterator[LabelledPicture]:
    scenes = part(folder, "camera_lidar_semantic")
    words = colour_words(part(scenes, "class_list.json"))
    for scene in _scenes(scenes, split):
        with Remembered(scene, f"segments of {min_pixels} of {sorted(words.items())}") as remembered:
            for path in _labels(scene, "label", "png"):
                try:
                    found = remembered.get(path, partial(_segments, words, min_pixels, path))
                except ValueError as error:
                    complain(str(error))
                    continue
                objects = [LabelledObject(word, _four(box), f"{path}: {word} at {box[:2]}") for word, box in found]
                yield LabelledPicture(_picture(scene, path, "label"), objects, str(path))


def _hulled(folder: Path, split: SplitName, complain: Complain) -> Iterator[LabelledPicture]:
    scenes = part(folder, "camera_lidar_semantic_bboxes")
    lens = _lens(part(folder, "cams_lidars.json"))
    for scene in _scenes(scenes, split):
        for path in _labels(scene, "label3D", "json"):
            try:
                objects = list(_hulls(path, complain))
            except ValueError as error:
                complain(str(error))
                continue
            yield LabelledPicture(_picture(scene, path, "label3D"), objects, str(path), lens.size, lens)


def _lens(path: Path) -> Lens:
    try:
        return Lens.of(read_json(path, dict)["cameras"]["front_center"])
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"{path}: expected the lens of cameras.front_center, got another table ({error!r})") from None


def _scenes(scenes: Path, split: SplitName) -> list[Path]:
    return sorted(path for path in scenes.iterdir() if path.is_dir() and _belongs(path.name, split))


def _labels(scene: Path, kind: str, ending: str) -> list[Path]:
    return sorted((scene / kind / _CAMERA).glob(f"*.{ending}"))


def _picture(scene: Path, label: Path, kind: str) -> Path:
    return with_any_ending(scene / "camera" / _CAMERA / label.stem.replace(f"_{kind}_", "_camera_"))


def _belongs(scene: str, split: SplitName) -> bool:
    return scene in TEST_SCENES if split == "test" else scene not in TEST_SCENES + SET_APART


def colour_words(path: Path) -> dict[int, str]:
    """The classes by colour number 65536 r + 256 g + b, without instance number; those without objects left out."""
    named = {}
    for colour, word in read_json(path, dict).items():
        if not re.fullmatch("#?[0-9a-fA-F]{6}", colour) or not isinstance(word, str):
            raise ValueError(f"{path}: {colour}: expected a colour like #ff0000 and its class, got {word!r}")
        named[int(colour.removeprefix("#"), 16)] = word.rstrip(" 0123456789")
    return {colour: word for colour, word in named.items() if word in WORDS}


def _segments(words: dict[int, str], min_pixels: int, path: Path) -> list[tuple[str, Box]]:
    red, green, blue = np.moveaxis(open_picture(path).astype(np.int32), 2, 0)
    colours = red << 16 | green << 8 | blue
    return [(word, box) for colour, word in words.items() for box in connected_boxes(colours == colour, min_pixels)]


def _four(box: Sequence[float]) -> Box:
    left, top, right, bottom = box
    return left, top, right, bottom


def connected_boxes(mask: NDArray[np.bool_], min_pixels: int) -> list[Box]:
    """Corners of each connected part of the mask that is large enough."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return []
    top, left = int(rows[0]), int(columns[0])
    parts, _ = ndimage.label(mask[top : rows[-1] + 1, left : columns[-1] + 1])  # a small part of the picture: quick
    n_pixels = np.bincount(parts.ravel())[1:]
    return [
        (left + across.start, top + down.start, left + across.stop - 1.0, top + down.stop - 1.0)
        for (down, across), n in zip(ndimage.find_objects(parts), n_pixels, strict=True)
        if n >= min_pixels
    ]


def _hulls(path: Path, complain: Complain) -> Iterator[LabelledObject]:
    for key, entry in read_json(path, dict).items():
        box = four(entry.get("2d_bbox")) if isinstance(entry, dict) else None
        if box is None or "class" not in entry:
            complain(f"{path}: {key}: expected a class and 2d_bbox with four numbers, got {str(entry)[:80]}")
            continue
        yield LabelledObject(str(entry["class"]), box, f"{path}: {key}")  # left, top, right, bottom


SOURCE = FileSource(
    name="a2d2",
    tree="""\
a2d2/
  camera_lidar_semantic/class_list.json                            colours of the classes
  camera_lidar_semantic/<scene>/camera/cam_front_center/*.png      pictures, <time>_camera_frontcenter_<number>
  camera_lidar_semantic/<scene>/label/cam_front_center/*.png       segmentation, <time>_label_frontcenter_<number>
with boxes="label3D" instead
  cams_lidars.json                                                 the cameras' lenses
  camera_lidar_semantic_bboxes/<scene>/{camera,label3D}/cam_front_center/*""",
    read=read,
    words=WORDS,
)
