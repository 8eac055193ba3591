import json
from pathlib import Path

import pytest
import torch
from PIL import Image

from wdrop.detect.data import load_detection
from wdrop.detect.files.coco_export import FoundIn, coco_table, coco_text
from wdrop.detect.finding.detections import Detections
from wdrop.detect.geometry.boxes import Size, to_corners
from wdrop.prediction import Prediction

MEAN = torch.tensor([[50.0, 40.0, 20.0, 10.0], [70.0, 30.0, 8.0, 16.0]])
STD = torch.tensor([[1.0, 2.0, 3.0, 4.0], [0.1, 0.2, 0.3, 0.4]])
FOUND = Detections(Prediction(MEAN, STD), torch.tensor([1, 0]), torch.tensor([0.9, 0.4]))
NOTHING = Detections(Prediction(MEAN[:0], STD[:0]), torch.tensor([], dtype=torch.int64), torch.tensor([]))


def test_every_box_has_its_four_stds() -> None:
    table = coco_table([FoundIn("a.png", Size(100, 80), FOUND), FoundIn("b.png", Size(9, 8), NOTHING)], ("car", "dog"))
    assert [image["file_name"] for image in table["images"]] == ["a.png", "b.png"]
    first, second = table["annotations"]
    assert first["bbox"] == [40, 35, 20, 10]
    assert (first["centre"], first["centre_std"]) == ([50, 40, 20, 10], [1, 2, 3, 4])
    assert second["centre_std"] == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert [table["categories"][entry["category_id"] - 1]["name"] for entry in (first, second)] == ["dog", "car"]
    assert first["score"] == pytest.approx(0.9)


def test_what_is_written_is_a_coco_data_set(tmp_path: Path) -> None:
    (tmp_path / "annotations").mkdir()
    (tmp_path / "images").mkdir()
    Image.new("RGB", (100, 80)).save(tmp_path / "images" / "a.png")
    text = coco_text([FoundIn("a.png", Size(100, 80), FOUND)], ("car", "dog"))
    (tmp_path / "annotations" / "train.json").write_text(text)
    sample = load_detection("coco", "train", folder=tmp_path)[0]
    torch.testing.assert_close(sample.boxes, to_corners(MEAN))
    assert sample.classes.tolist() == [1, 0]


def test_no_number_that_json_does_not_know_is_written() -> None:
    endless = Detections(Prediction(MEAN, STD * torch.inf), FOUND.classes, FOUND.scores)
    with pytest.raises(ValueError, match="JSON compliant"):
        json.loads(coco_text([FoundIn("a.png", Size(1, 1), endless)], ("car", "dog")))
