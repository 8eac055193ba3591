"""The loaders over real pictures and over examples of formats; counts are those of the samples' own documentation."""

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from detect.real_data import detection_folder
from PIL import Image

from wdrop.detect.data import DetectionSet, load_detection
from wdrop.detect.data.reading.lens import Lens


def loaded(name: str, split: str, *parts: str, **options: object) -> DetectionSet:
    found = load_detection(name, split, folder=detection_folder(*parts or (name,)), **options)  # type: ignore[arg-type]
    assert isinstance(found, DetectionSet)
    return found


def counts(found: DetectionSet) -> dict[str, int]:
    numbers = Counter(int(number) for frame in found.frames for number in frame.classes)
    return {found.class_names[number]: count for number, count in sorted(numbers.items())}


@pytest.mark.parametrize(
    ("split", "n_pictures", "objects"),
    [
        ("train", 509, {"pedestrian": 986, "cyclist": 720, "vehicle": 1671}),
        ("test", 623, {"pedestrian": 554, "cyclist": 876, "vehicle": 2295}),
    ],
)
def test_kitti_has_the_documented_objects(split: str, n_pictures: int, objects: dict[str, int]) -> None:
    found = loaded("kitti", split, crop=None, keep_empty=True)
    assert found.name == "kitti-mini"
    assert (len(found), counts(found)) == (n_pictures, objects)
    assert found.tally.skipped == []


def test_kitti_is_cropped_to_the_input_shape() -> None:
    found = loaded("kitti", "test")
    widths = {frame.size for frame in found.frames}
    assert all(abs(width / height - 672 / 384) < 0.005 for width, height in widths)
    sample = found[5]
    assert sample.image.shape[:2] == (sample.size.height, sample.size.width)
    assert sample.boxes[:, 2].max() <= sample.size.width - 1
    whole = loaded("kitti", "test", crop=None)
    assert 0.7 < found.n_objects / whole.n_objects < 0.85  # 0.84 of all objects stay somewhat visible, 0.73 half


def test_virtual_kitti_boxes_follow_the_smaller_copy() -> None:
    train, test = (loaded("virtual_kitti", split, crop=None, keep_empty=True) for split in ("train", "test"))
    assert (len(train) + len(test), train.n_objects + test.n_objects) == (205, 1805)
    assert max(frame.boxes.max() for frame in train.frames if len(frame.boxes)) <= 671
    name = train.frames[0].image.stem
    first = (detection_folder("virtual_kitti") / f"training/label_2/{name}.txt").read_text().split()
    expected = np.array(first[4:8], dtype=float) * np.tile([672 / 1242, 203 / 375], 2)
    np.testing.assert_allclose(train.frames[0].boxes[0], expected.clip(0, [671, 202, 671, 202]), rtol=1e-5)


def test_carla_has_the_documented_objects() -> None:
    train, test = loaded("carla", "train"), loaded("carla", "test")
    assert (len(train), len(test)) == (160, 90)
    assert Counter(counts(train)) + Counter(counts(test)) == {"cyclist": 84, "vehicle": 394 + 45}
    assert train.tally.left_out + test.tally.left_out == 878 + 17


def test_bdd100k_in_both_releases() -> None:
    new = loaded("bdd100k", "train")
    assert (len(new), new.tally.skipped) == (2, [])
    old = loaded("bdd100k", "train", labels="labels/boxes_2018_release_8_images.json")
    assert (len(old), counts(old)) == (8, {"pedestrian": 5, "vehicle": 78})
    assert old.tally.left_out == 26
    assert old[0].image.shape == (720, 1280, 3)


def test_bdd100k_frames_of_2018_with_lanes(tmp_path: Path) -> None:
    folder = detection_folder("bdd100k")
    (tmp_path / "labels").mkdir()
    labels = tmp_path / "labels/bdd100k_labels_images_train.json"
    labels.symlink_to(folder / "labels/bdd100k_labels_images_train.example.json")
    (tmp_path / "images/100k/train").mkdir(parents=True)
    picture = tmp_path / "images/100k/train/1001.jpg"  # the example renamed it
    picture.symlink_to(folder / "images/100k/train/0000f77c-6257be58.jpg")
    found = load_detection("bdd100k", "train", folder=tmp_path)
    assert isinstance(found, DetectionSet)
    entries = [label for frame in json.loads(labels.read_text()) for label in frame["labels"]]
    assert sum("box2d" in label for label in entries) == found.n_objects + found.tally.left_out
    assert any("box2d" not in label for label in entries)


def test_a2d2_boxes_of_3d_labels_fit_the_undistorted_camera() -> None:
    folder = detection_folder("a2d2")
    lens = Lens.of(json.loads((folder / "cams_lidars.json").read_text())["cameras"]["front_center"])
    differences = []
    for path in sorted(folder.glob("camera_lidar_semantic_bboxes/*/label3D/cam_front_center/*.json")):
        for entry in json.loads(path.read_text()).values():
            forward, left, up = np.array(entry["3d_points"]).T
            column = lens.focal[0] * -left / forward + lens.centre[0]
            row = lens.focal[1] * -up / forward + lens.centre[1]
            hull = [column.min(), row.min(), column.max(), row.max()]
            differences.append(np.abs(np.array(entry["2d_bbox"]) - hull).max())
    assert len(differences) == 42
    assert np.median(differences) < 1


def test_a2d2_is_read_both_ways() -> None:
    hulls = [loaded("a2d2", split, boxes="label3D") for split in ("train", "test")]
    assert [len(found) for found in hulls] == [5, 2]  # of eight frames one is of the scene set apart
    assert hulls[0].tally.skipped == []
    segments = loaded("a2d2", "train")
    assert segments.tally.skipped == []
    assert set(counts(segments)) == {"pedestrian", "cyclist", "vehicle"}
    sample = segments[0]
    assert sample.image.shape == (1208, 1920, 3)
    # a box is tight: its colour touches all four sides of it
    frame = segments.frames[0]
    folder = frame.image.parent.parent.parent
    label = np.asarray(
        Image.open(folder / "label/cam_front_center" / f"{frame.image.stem.replace('camera', 'label')}.png")
    )
    left, top, right, bottom = frame.boxes[0].astype(int)
    inside = label[top : bottom + 1, left : right + 1]
    colours = [set(map(tuple, side.tolist())) for side in (inside[0], inside[-1], inside[:, 0], inside[:, -1])]
    assert set.intersection(*colours)


def test_undistorting_moves_the_picture_under_its_boxes() -> None:
    sample = loaded("a2d2", "train", boxes="label3D")[0]
    assert sample.image.shape == (1208, 1920, 3)
    assert sample.image[::50, ::50].any()
    assert sample.boxes.isfinite().all()


def test_nuimages_example(tmp_path: Path) -> None:
    example = detection_folder("format_examples", "nuimages", "v1.0-example")
    (tmp_path / "v1.0-train").symlink_to(example)
    name = json.loads((example / "sample_data.json").read_text())[0]["filename"]
    (tmp_path / name).parent.mkdir(parents=True)
    Image.new("RGB", (800, 450)).save(tmp_path / name)  # half of its size
    found = load_detection("nuimages", "train", folder=tmp_path)
    assert isinstance(found, DetectionSet)
    assert counts(found) == {"pedestrian": 1, "cyclist": 1, "vehicle": 1}
    assert found.tally.left_out == 1
    torch.testing.assert_close(found[0].boxes[0], torch.tensor([300.0, 200.0, 400.0, 260.0]))


def test_synscapes_example(tmp_path: Path) -> None:
    (tmp_path / "meta").symlink_to(detection_folder("format_examples", "synscapes", "meta"))
    (tmp_path / "img/rgb").mkdir(parents=True)
    Image.new("RGB", (1440, 720)).save(tmp_path / "img/rgb/1.png")
    (tmp_path / "train.txt").write_text("1\n")
    found = load_detection("synscapes", "train", folder=tmp_path)
    assert isinstance(found, DetectionSet)
    assert counts(found) == {"pedestrian": 1, "cyclist": 1, "vehicle": 1}
    assert (found.tally.clipped, found.tally.left_out) == (1, 0)  # the train is hidden to 95 %
    torch.testing.assert_close(found[0].boxes[0], torch.tensor([144.0, 324.0, 216.0, 504.0]))
    everything = load_detection("synscapes", "train", folder=tmp_path, max_occluded=1.0)
    assert isinstance(everything, DetectionSet)
    assert everything.tally.left_out == 1


def test_nightowls_example(tmp_path: Path) -> None:
    example = detection_folder("format_examples", "nightowls") / "nightowls_example.json"
    (tmp_path / "nightowls_training.json").symlink_to(example)
    (tmp_path / "nightowls_training").mkdir()
    for image in json.loads(example.read_text())["images"]:
        Image.new("RGB", (1024, 640)).save(tmp_path / "nightowls_training" / image["file_name"])
    found = load_detection("nightowls", "train", folder=tmp_path)
    assert isinstance(found, DetectionSet)
    assert counts(found) == {"pedestrian": 1, "cyclist": 1}
    torch.testing.assert_close(found[0].boxes[0], torch.tensor([400.0, 200.0, 440.0, 300.0]))  # top left and size


def test_the_boxes_of_all_kitti_frames_agree_with_ours() -> None:
    folder = detection_folder("kitti")
    with gzip.open(folder / "all_7481_training_boxes.csv.gz", "rt") as file:
        rows = [line.strip().split(",") for line in file][1:]
    theirs: dict[str, list[list[float]]] = {}
    for frame, word, *box in rows:
        if word in ("Car", "Pedestrian", "Cyclist"):
            theirs.setdefault(frame.zfill(6), []).append([float(side) for side in box])
    found = loaded("kitti", "test", crop=None)
    differing = [
        frame.image.stem for frame in found.frames
        if np.abs(np.sort(frame.boxes, axis=0) - np.sort(theirs[frame.image.stem], axis=0)).max() > 1.01
    ]  # fmt: skip
    assert differing == []
