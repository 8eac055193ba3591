"""Every data set over a made-up tree in its own layout: what is odd is mended and counted, what is wrong is refused."""

import pickle
import re
from pathlib import Path

import pytest
import torch
from detect.native_trees import FAULTS, LAYOUTS, REFUSED, build, expected_objects

from wdrop.detect.data import CLASSES, DETECTION_DATASETS, DetectionSet, LabelError, load_detection

N_TRAIN, N_TEST = 140, 60


def loaded(name: str, split: str, folder: Path, **options: object) -> DetectionSet:
    found = load_detection(name, split, folder=folder, **LAYOUTS[name].options, **options)  # type: ignore[arg-type]
    assert isinstance(found, DetectionSet)
    return found


def test_every_set_in_files_has_its_tree() -> None:
    assert set(LAYOUTS) == set(DETECTION_DATASETS) - {"rendered"}


@pytest.mark.parametrize("name", LAYOUTS)
def test_two_hundred_pictures_with_every_fault(name: str, tmp_path: Path) -> None:
    pictures = build(name, tmp_path, N_TRAIN, N_TEST, FAULTS)
    train, test = loaded(name, "train", tmp_path, bad="skip"), loaded(name, "test", tmp_path)
    assert (len(train), train.n_objects) == (N_TRAIN - 3, expected_objects(pictures, "train"))
    assert (len(test), test.n_objects) == (N_TEST, expected_objects(pictures, "test"))
    tally = train.tally
    assert (tally.clipped, tally.outside, tally.zero_area, tally.empty) == (1, 1, 1, 1)
    assert len(tally.skipped) == len(REFUSED)
    if name not in ("coco", "yolo"):  # these leave nothing out
        assert tally.left_out == N_TRAIN - 3
    assert test.tally.skipped == []
    assert not {frame.image for frame in train.frames} & {frame.image for frame in test.frames}


@pytest.mark.parametrize("name", LAYOUTS)
def test_boxes_and_classes_come_out_as_they_went_in(name: str, tmp_path: Path) -> None:
    pictures = build(name, tmp_path, 6, 3)
    sample = loaded(name, "train", tmp_path)[0]
    scale = 42 * 9 / 375 if name == "virtual_kitti" else 1.0  # stored 138 x 42: its height is rounded up
    boxes = torch.tensor([box for group, box in pictures[0].objects if group != "left out"])
    boxes[:, 1::2] *= scale
    torch.testing.assert_close(sample.boxes, boxes, rtol=0, atol=1e-4)
    names = loaded(name, "train", tmp_path).class_names
    words = {"person": "pedestrian", "bicycle": "cyclist", "car": "vehicle"} | {word: word for word in CLASSES}
    if name != "carla":  # no pedestrians there
        assert [words[names[i]] for i in sample.classes.tolist()] == ["pedestrian", "cyclist"]
    assert sample.image.shape == (sample.size.height, sample.size.width, 3)
    assert sample.image.max() <= 1  # picture number 0 is black


@pytest.mark.parametrize("fault", REFUSED)
@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_wrong_is_refused_with_its_file(name: str, fault: str, tmp_path: Path) -> None:
    build(name, tmp_path, 3, 2, [fault])
    with pytest.raises(ValueError, match=r"expected|unknown class") as caught:
        loaded(name, "train", tmp_path)
    place = re.fullmatch(r"(.+\.(?:txt|json|xml|png|jpg))(:\d+)?", str(caught.value).split(": ")[0])
    assert place is not None
    path, line = place.groups()
    assert Path(path).parent.is_dir()
    assert line or not path.endswith(".txt") or fault == "missing picture"


def test_a_wrong_line_is_named_by_its_number(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 2, ["unknown class"])
    with pytest.raises(LabelError, match=r"000000\.txt:4: unknown class 'Unicorn'; known: Pedestrian, Cyclist, Car"):
        loaded("kitti", "train", tmp_path)


def test_a_misspelt_class_gets_a_guess(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 2)
    path = tmp_path / "training/label_2/000001.txt"
    path.write_text(path.read_text().replace("Cyclist", "Cyclits"))
    with pytest.raises(LabelError, match="did you mean 'Cyclist'"):
        loaded("kitti", "train", tmp_path)


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_wrong_folder_is_shown_the_expected_tree(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        loaded(name, "train", tmp_path)
    assert "found no" in str(caught.value)
    assert str(caught.value).endswith(DETECTION_DATASETS[name].tree)


def test_a_missing_folder_is_told_where_it_was_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(FileNotFoundError, match="img/rgb") as caught:
        load_detection("synscapes", "train")
    assert str(tmp_path / "detection" / "synscapes") in str(caught.value)


def test_data_is_found_by_the_environment_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("kitti", tmp_path / "detection" / "kitti", 3, 2)
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    assert len(load_detection("kitti", "test")) == 2


def test_a_picture_damaged_further_on_is_named_when_it_is_used_or_verified(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 2)
    path = tmp_path / "training/image_2/000002.png"
    path.write_bytes(path.read_bytes()[:-30])
    train = loaded("kitti", "train", tmp_path)
    with pytest.raises(ValueError, match=r"000002\.png: expected a picture, got a file that cannot be read"):
        train[2]
    checked = loaded("kitti", "train", tmp_path, verify=True, bad="skip")
    assert len(checked) == 2
    assert "000002.png" in checked.tally.skipped[0]


def test_pictures_without_objects_stay_if_asked_for(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 2, ["no objects"])
    kept = loaded("kitti", "train", tmp_path, keep_empty=True)
    assert len(kept) == 3
    assert kept[0].boxes.shape == (0, 4)


def test_a_picture_of_another_shape_than_its_labels_is_refused(tmp_path: Path) -> None:
    build("carla", tmp_path, 3, 2)
    path = tmp_path / "labels/train/Town_1.xml"
    path.write_text(path.read_text().replace("<width>70", "<width>90"))
    with pytest.raises(
        LabelError, match=r"Town_1\.xml: expected a picture shaped like the labels' 90 x 40, got 70 x 40"
    ):
        loaded("carla", "train", tmp_path)


def test_unknown_names_are_refused_with_a_guess(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown detection data set 'kiti', did you mean 'kitti'"):
        load_detection("kiti", "train")
    with pytest.raises(ValueError, match="unknown split 'val'; known: train, test"):
        load_detection("kitti", "val")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown option of synscapes 'max_ocluded', did you mean 'max_occluded'"):
        load_detection("synscapes", "train", folder=tmp_path, max_ocluded=1)


def test_a_set_can_be_sent_to_loader_workers(tmp_path: Path) -> None:
    build("a2d2", tmp_path, 3, 2)
    train = loaded("a2d2", "train", tmp_path)
    assert torch.equal(pickle.loads(pickle.dumps(train))[1].boxes, train[1].boxes)


def test_boxes_of_a_set_are_relative(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 2)
    boxes = loaded("kitti", "train", tmp_path).boxes()
    assert boxes.shape == (6, 4)
    torch.testing.assert_close(boxes[0], torch.tensor([4 / 70, 5 / 40, 14 / 70, 25 / 40]))
