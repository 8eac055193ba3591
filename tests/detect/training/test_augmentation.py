import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop._random import generator_for
from wdrop.detect.data import render
from wdrop.detect.data.sample import Sample
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.training.augmentation import Augmentation, as_tensor, flipped, resized, shifted


def marked(
    width: int = 80, height: int = 50, left: int = 10, top: int = 6, right: int = 29, bottom: int = 20
) -> Sample:
    """A black picture with one white box, whose pixels are the truth about its label."""
    image = np.zeros((height, width, 3), dtype=np.uint8)
    image[top : bottom + 1, left : right + 1] = 255
    return Sample("marked", image, torch.tensor([[left, top, right, bottom]]).float(), torch.tensor([0]))


def white_box(sample: Sample) -> list[float]:
    rows, columns = np.nonzero(sample.image.min(axis=2) > 200)
    return [float(columns.min()), float(rows.min()), float(columns.max()), float(rows.max())]


@given(dx=st.integers(-30, 10), dy=st.integers(-20, 6), mirror=st.booleans())
def test_boxes_go_where_their_pixels_go(dx: int, dy: int, mirror: bool) -> None:
    sample = shifted(marked(), dx, dy)
    sample = flipped(sample) if mirror else sample
    assert sample.size == Size(80 - dx, 50 - dy)
    assert sample.boxes[0].tolist() == white_box(sample)


def test_flipping_twice_changes_nothing() -> None:
    sample = render(generator=generator_for("flip"))
    twice = flipped(flipped(sample))
    np.testing.assert_array_equal(twice.image, sample.image)
    assert torch.equal(twice.boxes, sample.boxes)


def test_added_margins_have_the_mean_colour() -> None:
    image = shifted(marked(), -7, -3).image
    assert image[0, 0].tolist() == image[-1, 6].tolist() == [124, 117, 104]
    assert image[3, 7].tolist() == [0, 0, 0]


def test_no_object_leaves_on_the_left_or_above() -> None:
    generator = generator_for("augment")
    seen = [Augmentation(flip=0)(marked(1242, 375, 40, 20, 90, 80), generator=generator) for _ in range(200)]
    assert min(float(sample.boxes[0, 0]) for sample in seen) >= 0
    shifts = [1242 - sample.size.width for sample in seen]
    assert -150 <= min(shifts) < -140
    assert 30 < max(shifts) <= 40
    assert max(375 - sample.size.height for sample in seen) <= 20


def test_half_of_all_pictures_are_mirrored() -> None:
    generator = generator_for("mirror")
    augment = Augmentation(max_shift=(0, 0))
    n_mirrored = sum(float(augment(marked(), generator=generator).boxes[0, 0]) != 10 for _ in range(400))
    assert 150 < n_mirrored < 250


def test_small_pictures_move_less_and_empty_ones_move_too() -> None:
    generator = generator_for("small")
    nothing = Sample("empty", np.zeros((50, 80, 3), dtype=np.uint8), torch.empty(0, 4), torch.empty(0).long())
    sizes = [Augmentation()(nothing, generator=generator).size for _ in range(100)]
    assert 80 - 24 <= min(size.width for size in sizes) < 70
    assert 90 < max(size.width for size in sizes) <= 80 + 24


def test_the_generator_decides() -> None:
    sample = render(generator=generator_for("scene"))
    one, again = (Augmentation()(sample, generator=generator_for("draw")) for _ in range(2))
    np.testing.assert_array_equal(one.image, again.image)


def test_resizing_is_plain_bilinear_and_scales_boxes() -> None:
    sample = marked(80, 50, 20, 10, 39, 29)
    half = resized(sample, Size(40, 25))
    assert half.size == Size(40, 25)
    torch.testing.assert_close(half.boxes[0], torch.tensor([10.0, 5.0, 19.5, 14.5]))
    image = np.random.default_rng(0).integers(0, 256, (50, 80, 3), dtype=np.uint8)
    noisy = Sample("noise", image, torch.empty(0, 4), torch.empty(0).long())
    means = image.reshape(25, 2, 40, 2, 3).mean(axis=(1, 3))  # half-way between two pixels each way
    assert np.abs(resized(noisy, Size(40, 25)).image - means).max() <= 0.51
    quarter = resized(noisy, Size(20, 12)), resized(noisy, Size(20, 12), antialias=True)
    assert quarter[0].image.std() > 1.5 * quarter[1].image.std()


def test_a_picture_of_the_right_size_stays() -> None:
    sample = marked()
    assert resized(sample, Size(80, 50)) is sample
    assert as_tensor(sample).shape == (3, 50, 80)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected flip in \[0, 1\], got 2"):
        Augmentation(flip=2)
    with pytest.raises(ValueError, match="expected max_shift_x of at least 0, got -1"):
        Augmentation(max_shift=(-1, 0))
