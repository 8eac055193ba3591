"""Entries of kinds that nobody foresees: every reader refuses them by file and entry, and skips them if told to."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from detect.native_trees import A2D2_SCENES, LAYOUTS, build

from wdrop.detect.data import DetectionSet, load_detection

COCO, BDD, META = "annotations/train.json", "labels/det_20/det_train.json", "meta/2.json"
FRAMES, OBJECTS = "v1.0-train/sample_data.json", "v1.0-train/object_ann.json"


def put(*path: Any) -> Callable[[Any], None]:
    """Sets the value named last at the place named before."""
    *keys, last, value = path

    def change(content: Any) -> None:
        for key in keys:
            content = content[key]
        content[last] = value

    return change


def loaded(name: str, folder: Path, **options: Any) -> DetectionSet:
    found = load_detection(name, "train", folder=folder, **LAYOUTS[name].options, **options)
    assert isinstance(found, DetectionSet)
    return found


ENTRIES = [
    ("coco", COCO, put("annotations", 0, "category_id", [1]), "annotations[0]: unknown class 'number [1]'"),
    ("coco", COCO, put("annotations", 0, "image_id", [1]), "annotations[0]: expected image_id of a picture in images"),
    *(
        ("coco", COCO, put("images", 0, "width", width), "images[0]: expected width and height in pixels, got ")
        for width in ("abc", [1], 0.4, float("inf"), float("nan"), 10**400, -70)
    ),
    ("bdd100k", BDD, put(1, "labels", 5), "[1]: expected a list of labels, got 5"),
    ("synscapes", META, put("instance", "occluded", None), "expected camera.intrinsic and instance with bbox2d, class"),
    ("synscapes", META, put("instance", "occluded", "0", None), "instance 0: expected occluded as a number, got None"),
    ("synscapes", META, put("instance", "class", [26]), "expected camera.intrinsic and instance with bbox2d, class"),
    ("synscapes", META, put("instance", "bbox2d", "ab"), "expected camera.intrinsic and instance with bbox2d, class"),
    ("synscapes", META, put("instance", None), "expected camera.intrinsic and instance with bbox2d, class"),
    ("synscapes", META, put("camera", "intrinsic", "resx", 0), "expected resx and resy in pixels, got {'resx': 0"),
    ("synscapes", META, put("camera", "intrinsic", "resx", "a"), "expected resx and resy in pixels, got {'resx': 'a'"),
    ("nuimages", FRAMES, put(0, "width", "abc"), "s-0: expected width and height in pixels, got 'abc'"),
    ("nuimages", OBJECTS, put(0, "sample_data_token", []), "[0]: expected sample_data_token of a key frame, got []"),
    ("nuimages", OBJECTS, put(0, "category_token", []), "[0]: unknown class 'token []'"),
]


@pytest.mark.parametrize(("name", "file", "change", "message"), ENTRIES)
def test_an_odd_entry_is_named_or_skipped(
    name: str, file: str, change: Callable[[Any], None], message: str, tmp_path: Path
) -> None:
    build(name, tmp_path, 3, 2)
    _change(tmp_path / file, change)
    with pytest.raises(ValueError, match=r"expected|unknown") as caught:
        loaded(name, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / file}: {message}")
    assert len(loaded(name, tmp_path, bad="skip").tally.skipped) >= 1


@pytest.mark.parametrize(
    ("name", "file", "change", "message"),
    [
        ("coco", COCO, put("images", 1, "id", [1]), "images[1]: expected an id that no other picture has, got [1]"),
        ("coco", COCO, put("images", 1, "id", 0), "images[1]: expected an id that no other picture has, got 0"),
        ("coco", COCO, put("categories", 0, "name", ""), "categories[0]: expected an id of its own and a name"),
        ("coco", COCO, put("categories", 0, "id", []), "categories[0]: expected an id of its own and a name"),
        ("coco", COCO, put("categories", 1, "id", 0), "categories[1]: expected an id of its own and a name"),
        ("nuimages", FRAMES, put(0, "token", [1]), "[0]: expected an object with token, filename as text, got "),
        ("nuimages", OBJECTS, put(0, 5), "[0]: expected an object, got 5"),
        ("a2d2", "cams_lidars.json", put("cameras", {}), "expected the lens of cameras.front_center, got another"),
        ("a2d2", "cams_lidars.json", put("cameras", "front_center", 5), "expected the lens of cameras.front_center"),
    ],
)
def test_an_odd_table_is_refused_by_its_file(
    name: str, file: str, change: Callable[[Any], None], message: str, tmp_path: Path
) -> None:
    build(name, tmp_path, 3, 2)
    _change(tmp_path / file, change)
    with pytest.raises(ValueError, match="expected") as caught:
        loaded(name, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / file}: {message}")


def test_an_extent_below_a_pixel_is_refused_in_xml(tmp_path: Path) -> None:
    build("carla", tmp_path, 3, 2)
    path = tmp_path / "labels/train/Town_1.xml"
    path.write_text(path.read_text().replace("<width>70", "<width>0.4"))
    with pytest.raises(ValueError, match=r"Town_1\.xml: expected width and height in pixels, got '0\.4' and '40'"):
        loaded("carla", tmp_path)


@pytest.mark.parametrize("table", [{"#ff0000": 5}, {"#zz": "Car 1"}])
def test_colours_and_classes_are_refused_by_their_file(table: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "camera_lidar_semantic" / A2D2_SCENES["train"]).mkdir(parents=True)
    (tmp_path / "camera_lidar_semantic" / "class_list.json").write_text(json.dumps(table))
    with pytest.raises(
        ValueError, match=r"class_list\.json: #(ff0000|zz): expected a colour like #ff0000 and its class"
    ):
        load_detection("a2d2", "train", folder=tmp_path)


def _change(path: Path, change: Callable[[Any], None]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
