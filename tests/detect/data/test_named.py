from pathlib import Path

import pytest
from detect.native_trees import build

from wdrop.detect.data.named import open_set, recognised


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
