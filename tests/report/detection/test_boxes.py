from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

from wdrop.detect.finding.detections import Detections
from wdrop.prediction import Prediction
from wdrop.report.detection.boxes import TRUE_BOX, drawn, drawn_png, edge_std

GREY = np.full((100, 1200, 3), 128, dtype=np.uint8)  # so wide that it is drawn in its own size


def box(std: float, classes: int = 0) -> Detections:
    mean, stds = torch.tensor([[600.0, 50.0, 200.0, 60.0]]), torch.tensor([[std, 0.0, 0.0, 0.0]])
    return Detections(Prediction(mean, stds), torch.tensor([classes]), torch.tensor([0.5]))


def test_an_edge_has_the_std_of_centre_and_half_the_extent() -> None:
    assert edge_std(np.array([3.0, 1.0, 8.0, 0.0])) == pytest.approx((5.0, 1.0))


def test_bands_reach_one_and_two_stds_from_the_edge() -> None:
    row = drawn(GREY, box(10.0), ("car",))[50].astype(int)
    changed = np.flatnonzero(np.abs(row - 128).sum(axis=1))
    assert (changed.min(), changed.max()) == (480, 720)  # left edge 500, right edge 700, two stds are 20
    strength = np.abs(row - 128).sum(axis=1)
    assert 0 < strength[485] < strength[495] < strength[500]  # two stds, one std, the mean itself
    assert strength[600] == 0  # within the box nothing is covered
    narrow = drawn(GREY, box(1.0), ("car",))[50].astype(int)
    assert np.flatnonzero(np.abs(narrow - 128).sum(axis=1)).min() == 498


def test_nothing_found_leaves_the_picture_as_it_is() -> None:
    none = torch.empty(0, 4)
    nothing = Detections(Prediction(none, none), torch.empty(0, dtype=torch.int64), torch.empty(0))
    assert np.array_equal(drawn(GREY, nothing, ("car",)), GREY)


def test_small_pictures_are_drawn_larger_and_boxes_beyond_the_border_do_no_harm() -> None:
    small = np.zeros((40, 300, 3), dtype=np.uint8)
    picture = Image.open(BytesIO(drawn_png(small, box(400.0, classes=-1), ("car",))))
    assert picture.size == (1200, 160)


def test_labels_lie_on_top_of_all_bands_and_inside_the_picture() -> None:
    def found(means: list[list[float]], std: float) -> Detections:
        boxes = Prediction(torch.tensor(means), torch.full((len(means), 4), std))
        return Detections(boxes, torch.zeros(len(means), dtype=torch.int64), torch.linspace(0.5, 0.9, len(means)))

    alone = drawn(GREY, found([[600.0, 50.0, 200.0, 60.0]], 0.0), ("car",))
    beside = drawn(GREY, found([[600.0, 50.0, 200.0, 60.0], [700.0, 40.0, 300.0, 60.0]], 9.0), ("car",))
    label = np.s_[5:19, 501:548]  # of the box with the lower score, in the bands of the other
    assert np.array_equal(alone[label], beside[label])

    at_the_border = drawn(GREY, found([[1195.0, 50.0, 10.0, 60.0]], 0.0), ("pedestrian",))
    white = np.flatnonzero((at_the_border > 240).all(axis=2).any(axis=0))
    assert white.min() > 1100
    assert white.max() < 1199
    assert white.max() - white.min() > 80  # the whole text, not its first letters


def test_true_boxes_are_drawn_beside_those_found_thicker_where_asked() -> None:
    truth = np.array([[300.0, 20.0, 400.0, 80.0]])
    for thickness in (1, 2):
        row = drawn(GREY, box(10.0), ("car",), truth, thickness=thickness)[50]
        assert np.flatnonzero((row == TRUE_BOX).all(axis=1)).size == 2 * 2 * thickness  # its left and its right edge


def test_a_tall_picture_is_drawn_no_larger_than_a_wide_one() -> None:
    tall = np.zeros((2000, 2, 3), dtype=np.uint8)
    assert drawn(tall, box(1.0), ("car",)).shape == (2000, 2, 3)


def test_bands_of_many_boxes_do_not_add_up() -> None:
    def found(n: int) -> Detections:
        boxes = Prediction(torch.tensor([[600.0, 50.0, 200.0, 60.0]] * n), torch.tensor([[10.0, 0.0, 0.0, 0.0]] * n))
        return Detections(boxes, torch.zeros(n, dtype=torch.int64), torch.full((n,), 0.5))

    assert np.array_equal(drawn(GREY, found(20), ("car",)), drawn(GREY, found(1), ("car",)))


def test_labels_of_large_photographs_are_large() -> None:
    nothing_but_labels = drawn(np.zeros((4000, 6000, 3), dtype=np.uint8), box(0.0), ("car",))
    white = np.flatnonzero((nothing_but_labels > 240).all(axis=2).any(axis=-1))
    assert white.max() - white.min() > 20  # 13 points are 9 pixels
