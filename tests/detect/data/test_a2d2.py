import json
from pathlib import Path

import numpy as np
import pytest
from detect.native_trees import A2D2_SCENES
from PIL import Image

from wdrop.detect.data import DetectionSet, load_detection
from wdrop.detect.data.a2d2 import connected_boxes

COLOURS = {"#ff0000": "Car 1", "#c80000": "Car 2", "#b65906": "Bicycle 1", "#cc99ff": "Pedestrian 1", "#87ceff": "Sky"}


def tree(root: Path, n_train: int, n_test: int) -> None:
    """Pictures with two cars that touch, a pedestrian, and a speck."""
    scenes = root / "camera_lidar_semantic"
    scenes.mkdir(parents=True)
    (scenes / "class_list.json").write_text(json.dumps(COLOURS))
    label = np.full((40, 70, 3), (0x87, 0xCE, 0xFF), dtype=np.uint8)
    label[10:25, 5:20] = (0xFF, 0, 0)
    label[10:25, 20:40] = (0xC8, 0, 0)
    label[5:30, 50:56] = (0xCC, 0x99, 0xFF)
    label[2:4, 2:4] = (0xFF, 0, 0)
    for number in range(n_train + n_test):
        scene = scenes / A2D2_SCENES["train" if number < n_train else "test"]
        for kind, pixels in (("camera", np.zeros_like(label)), ("label", label)):
            folder = scene / kind / "cam_front_center"
            folder.mkdir(parents=True, exist_ok=True)
            Image.fromarray(pixels).save(folder / f"1_{kind}_frontcenter_{number:09}.png")


def test_boxes_come_out_of_the_segmentation(tmp_path: Path) -> None:
    tree(tmp_path, 140, 60)
    labels = tmp_path / "camera_lidar_semantic" / A2D2_SCENES["train"] / "label/cam_front_center"
    (labels / "1_label_frontcenter_000000000.png").write_bytes(b"no picture")
    Image.new("RGB", (70, 40)).save(labels / "1_label_frontcenter_000000001.png")  # black: no objects
    camera = labels.parent.parent / "camera/cam_front_center"
    (camera / "1_camera_frontcenter_000000002.png").unlink()
    train = load_detection("a2d2", "train", folder=tmp_path, bad="skip", min_pixels=20)
    assert isinstance(train, DetectionSet)
    assert (len(train), train.n_objects, train.tally.empty) == (137, 3 * 137, 1)
    assert len(train.tally.skipped) == 2
    assert "000000000.png" in train.tally.skipped[0]
    assert len(load_detection("a2d2", "test", folder=tmp_path, min_pixels=20)) == 60
    sample = train[0]
    assert sample.boxes.tolist() == [[5, 10, 19, 24], [20, 10, 39, 24], [50, 5, 55, 29]]
    assert [train.class_names[number] for number in sample.classes] == ["vehicle", "vehicle", "pedestrian"]
    with pytest.raises(ValueError, match=r"000000000\.png: expected a picture"):
        load_detection("a2d2", "train", folder=tmp_path)


def test_the_scene_set_apart_is_in_neither_split(tmp_path: Path) -> None:
    tree(tmp_path, 2, 1)
    scenes = tmp_path / "camera_lidar_semantic"
    (scenes / A2D2_SCENES["train"]).rename(scenes / "20180810_142822")
    with pytest.raises(FileNotFoundError, match="found no usable picture in split 'train'"):
        load_detection("a2d2", "train", folder=tmp_path, min_pixels=20)


def test_connected_parts_are_boxes_of_their_own() -> None:
    mask = np.zeros((9, 12), dtype=bool)
    mask[1:4, 2:5] = mask[5:8, 7:12] = mask[0, 0] = True
    assert connected_boxes(mask, 2) == [(2, 1, 4, 3), (7, 5, 11, 7)]
    assert connected_boxes(mask, 10) == [(7, 5, 11, 7)]
    assert connected_boxes(mask & False, 1) == []
