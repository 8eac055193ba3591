from pathlib import Path

import pytest
from detect.real_data import detection_folder

from wdrop.detect.data.kitti import called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of KITTI's with lists of a part of it, and no picture yet."""
    (tmp_path / "training" / "image_2").mkdir(parents=True)
    (tmp_path / "ImageSets").mkdir()
    (tmp_path / "ImageSets" / "train.txt").write_text("000000\n000003\n")
    (tmp_path / "ImageSets" / "val.txt").write_text("000001\n")
    return tmp_path


def put(folder: Path, *names: str) -> None:
    """Files of these names among the pictures; nobody reads them here."""
    for name in names:
        (folder / "training" / "image_2" / name).touch()


def pictures(n: int) -> list[str]:
    return [f"{number:06}.png" for number in range(n)]


def test_all_pictures_are_kitti_whatever_else_lies_beside_them(folder: Path) -> None:
    put(folder, *pictures(7480))
    assert called(folder) == "kitti-part"
    put(folder, "Thumbs.db", "._000000.png", "000000.txt")
    assert called(folder) == "kitti-part"
    put(folder, "007480.png", "000000.jpg")
    assert called(folder) == "kitti"


def test_a_part_is_not_the_mini_set_for_having_as_many_pictures(folder: Path) -> None:
    put(folder, *pictures(1132))
    assert called(folder) == "kitti-part"
    (folder / "ImageSets" / "val.txt").unlink()  # only training is asked of it
    assert called(folder) == "kitti-part"


@pytest.mark.parametrize("break_", ["\n", "\r\n"])
def test_the_mini_set_is_known_by_its_lists(break_: str, folder: Path) -> None:
    for path in detection_folder("kitti", "ImageSets").iterdir():
        (folder / "ImageSets" / path.name).write_bytes(path.read_bytes().replace(b"\n", break_.encode()))
    put(folder, "000000.jpg", "frames.csv")
    assert called(folder) == "kitti-mini"
