from pathlib import Path

import pytest
from detect.native_trees import build

from wdrop.detect.data import load_detection
from wdrop.detect.data.yolo import class_names


def test_classes_are_counted_or_numbered(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text("names: {1: bus, 0: car}\n")
    assert class_names(tmp_path) == {0: "car", 1: "bus"}
    (tmp_path / "classes.txt").write_text("bus\ncar\n")
    assert class_names(tmp_path) == {0: "bus", 1: "car"}


def test_labels_mean_the_names_under_their_numbers(tmp_path: Path) -> None:
    build("yolo", tmp_path, 3, 2)
    (tmp_path / "classes.txt").unlink()
    (tmp_path / "data.yaml").write_text("names:\n  2: car\n  1: bicycle\n  0: person\n")
    found = load_detection("yolo", "train", folder=tmp_path)
    assert [found.class_names[number] for number in found[0].classes] == ["person", "bicycle"]


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("car\nbus\ncar\n")
    with pytest.raises(ValueError, match=r"classes\.txt: expected names of which each stands once, got 'car' more"):
        class_names(tmp_path)
