import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdrop.detect.data.crop import Crop

BOXES = np.array([[300, 100, 500, 200], [250, 100, 350, 200], [0, 100, 100, 200], [900, 0, 1000, 50]], dtype=np.float32)


def test_the_centre_of_a_kitti_picture_is_kept() -> None:
    window, boxes, stay = Crop()((1242, 375), BOXES)
    assert window == (293, 0, 949, 375)
    assert stay.tolist() == [True, True, False, True]
    assert boxes.tolist() == [[7, 100, 207, 200], [0, 100, 57, 200], [607, 0, 655, 50]]


def test_a_larger_share_must_be_visible_if_told() -> None:
    assert Crop(min_visible=0.6)((1242, 375), BOXES)[2].tolist() == [True, False, False, False]


def test_the_sides_can_be_kept_instead() -> None:
    assert Crop(where="left")((1242, 375), BOXES)[0] == (0, 0, 656, 375)
    assert Crop(where="right")((1242, 375), BOXES)[0] == (586, 0, 1242, 375)


def test_a_narrow_picture_stays_whole() -> None:
    window, boxes, _ = Crop()((640, 380), BOXES[:1])
    assert window == (0, 0, 640, 380)
    np.testing.assert_array_equal(boxes, BOXES[:1])


@given(left=st.floats(0, 1100), width=st.floats(5, 140))
def test_what_stays_lies_in_the_window_and_is_visible_enough(left: float, width: float) -> None:
    window, boxes, stay = Crop()((1242, 375), np.array([[left, 10, left + width, 50]], dtype=np.float32))
    visible = max(0.0, min(left + width, window[2] - 1) - max(left, window[0])) / width
    if stay[0]:
        assert visible >= 0.249
        assert 0 <= boxes[0, 0] < boxes[0, 2] <= window[2] - window[0] - 1
    else:
        assert visible <= 0.251


def test_an_impossible_share_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected min_visible in \(0, 1\], got 0"):
        Crop(min_visible=0)
