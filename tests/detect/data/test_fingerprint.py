from pathlib import Path

from detect.native_trees import build

from wdrop.detect.data import DetectionSet, RenderedSet, load_detection
from wdrop.detect.data.source import Samples
from wdrop.detect.data.thinned import Thinned
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.scores.corruptions import Corrupted


def kitti(folder: Path, split: str = "train") -> DetectionSet:
    found = load_detection("kitti", split, folder=folder)  # type: ignore[arg-type]
    assert isinstance(found, DetectionSet)
    return found


def test_the_same_pictures_elsewhere_are_the_same(tmp_path: Path) -> None:
    for name in ("here", "there"):
        build("kitti", tmp_path / name, 3, 3)
    assert kitti(tmp_path / "here").fingerprint == kitti(tmp_path / "there").fingerprint


def test_other_pictures_and_other_labels_are_others(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 3)
    before = kitti(tmp_path)
    assert before.fingerprint != kitti(tmp_path, "test").fingerprint
    labels = tmp_path / "training/label_2/000001.txt"
    labels.write_text(labels.read_text().replace("Cyclist", "Car"))
    assert before.fingerprint != kitti(tmp_path).fingerprint


def test_scenes_and_parts_and_corruptions_are_told_apart() -> None:
    scenes = RenderedSet("train", 4, Size(64, 48))
    sets: list[Samples] = [
        scenes, RenderedSet("test", 4, Size(64, 48)), RenderedSet("train", 4, Size(48, 64)),
        RenderedSet("train", 4, Size(64, 48), 1), Thinned(scenes, 2), Thinned(scenes, 3), Corrupted(scenes, "jpeg"),
        Corrupted(scenes, "jpeg", 2),
    ]  # fmt: skip
    assert len({one.fingerprint for one in sets}) == len(sets)
    assert Thinned(scenes, 9).fingerprint == scenes.fingerprint
