from pathlib import Path

import pytest
from PIL import Image

from wdrop.detect.data.crop import Crop
from wdrop.detect.data.reading.judging import Judge, Tally
from wdrop.detect.data.sample import Box, Frame, LabelledObject, LabelledPicture


def judged(folder: Path, boxes: list[Box], crop: Crop | None = None) -> tuple[list[Frame], Tally]:
    """The frames out of one picture of 64 x 48 with these cars, and what happened to them."""
    path = folder / "a.png"
    Image.new("RGB", (64, 48)).save(path)
    cars = [LabelledObject("car", box, f"a.txt:{number}") for number, box in enumerate(boxes)]
    tally = Tally()
    frames = Judge({"car": "car"}, ("car",), crop).frames([LabelledPicture(path, cars, "a.txt")], tally)
    return frames, tally


@pytest.mark.parametrize("sliver", [(-10, 5, 1e-5, 35), (5, 46.95, 20, 90), (62.91, 5, 80, 20), (9, 9, 9.09, 20)])
def test_a_sliver_at_the_border_is_no_target(sliver: Box, tmp_path: Path) -> None:
    whole = (4.0, 5.0, 14.0, 25.0)
    (frame,), tally = judged(tmp_path, [sliver, whole])
    assert frame.boxes.tolist() == [list(whole)]
    assert tally.slivers == 1
    assert tally.left_out_in_words == "1 boxes (1 below a tenth of a pixel)"


def test_the_thinnest_box_of_kitti_stays(tmp_path: Path) -> None:
    (frame,), tally = judged(tmp_path, [(-10, 5, 0.11, 35)])
    assert frame.boxes.tolist() == [[0, 5, pytest.approx(0.11), 35]]
    assert tally.left_out_in_words == ""


def test_a_sliver_that_the_crop_leaves_is_no_target_either(tmp_path: Path) -> None:
    frames, tally = judged(tmp_path, [(15.0, 5.0, 16.08, 30.0)], Crop(aspect=32 / 48, min_visible=0.05))
    assert frames == []
    assert (tally.slivers, tally.cropped_away, tally.empty) == (1, 0, 1)
