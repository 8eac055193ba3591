import numpy as np

from wdrop.detect.data.reading.lens import Lens

STRAIGHT = Lens((60.0, 60.0), (35.0, 20.0), (60.0, 60.0), (35.0, 20.0), 0.0, (70, 40))


def test_a_lens_without_distortion_leaves_the_picture() -> None:
    picture = np.random.default_rng(0).integers(0, 256, size=(40, 70, 3), dtype=np.uint8)
    np.testing.assert_array_equal(STRAIGHT.undistort(picture), picture)


def test_a_point_moves_to_where_the_formula_puts_it() -> None:
    lens = Lens((60.0, 60.0), (35.0, 20.0), (60.0, 60.0), (35.0, 20.0), -0.25, (70, 40))
    column, row = lens.source(70, 40)
    x, y = (65 - 35) / 60, (8 - 20) / 60
    stretch = 1 - 0.25 * (x * x + y * y)
    assert column[8, 65] == 60 * x * stretch + 35
    assert row[8, 65] == 60 * y * stretch + 20
    picture = np.zeros((40, 70, 3), dtype=np.uint8)
    picture[round(row[8, 65]), round(column[8, 65])] = 255
    assert lens.undistort(picture)[7:10, 64:67].max() > 60
    assert picture[7:10, 64:67].max() == 0


def test_a_smaller_copy_has_the_same_lens() -> None:
    lens = Lens((60.0, 60.0), (35.0, 20.0), (62.0, 62.0), (34.0, 20.0), -0.25, (70, 40))
    large, small = lens.source(70, 40)[0], lens.source(35, 20)[0]
    np.testing.assert_allclose(small, large[::2, ::2] / 2)
