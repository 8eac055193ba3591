from pathlib import Path

import pytest
from detect.native_trees import build

from wdrop.detect.data import DetectionSet
from wdrop.detect.data.named import open_set, recognised
from wdrop.detect.geometry.boxes import Size


@pytest.mark.parametrize("name", ["kitti", "coco", "yolo"])
def test_a_folder_shows_what_it_is(name: str, tmp_path: Path) -> None:
    build(name, tmp_path, 3, 2, ())
    assert recognised(tmp_path) == name
    assert len(open_set(str(tmp_path), "train")) == 3


def test_a_name_is_a_name_and_a_folder_may_be_named_apart(tmp_path: Path) -> None:
    assert open_set("rendered", "test", n_pictures=2).name == "rendered"
    build("carla", tmp_path, 3, 2, ())
    assert len(open_set("carla", "test", folder=tmp_path)) == 2
    with pytest.raises(FileNotFoundError, match="found no layout that is known by itself"):
        open_set(str(tmp_path), "test")


def test_neither_name_nor_folder() -> None:
    with pytest.raises(ValueError, match=r"unknown detection data set 'kiti', did you mean 'kitti'\?"):
        open_set("kiti", "train")
    with pytest.raises(FileNotFoundError, match=r"\./nowhere: expected a data set's name or a folder"):
        open_set("./nowhere", "train")


@pytest.mark.parametrize("name", ["kitti", "virtual_kitti"])
def test_a_cropped_set_has_the_shape_of_the_network_s_input(name: str, tmp_path: Path) -> None:
    build(name, tmp_path, 3, 2)
    (whole,) = {frame.size for frame in in_files(name, tmp_path, Size(1248, 128)).frames}
    (narrow,) = {frame.size for frame in in_files(name, tmp_path, Size(96, 64)).frames}
    assert whole.width in (70, 138)
    assert narrow == (1.5 * whole.height, whole.height)
    for usual in (Size(672, 384), Size(336, 192)):
        windows = [frame.window for frame in in_files(name, tmp_path, usual).frames]
        assert windows == [frame.window for frame in in_files(name, tmp_path, None).frames]


def test_other_sets_are_seen_whole_whatever_the_input(tmp_path: Path) -> None:
    build("carla", tmp_path, 3, 2)
    assert {frame.size for frame in in_files("carla", tmp_path, Size(64, 64)).frames} == {(70, 40)}
    assert len(open_set("rendered", "test", n_pictures=2, input_size=Size(64, 64))) == 2


def in_files(name: str, folder: Path, size: Size | None) -> DetectionSet:
    found = open_set(name, "train", folder=folder, input_size=size)
    assert isinstance(found, DetectionSet)
    return found
