import pytest
import torch

from wdrop._random import generator_for
from wdrop.detect.geometry.anchors import KITTI_SHAPES, anchor_grid, fitted_shapes, scaled_shapes
from wdrop.detect.geometry.boxes import Size


def test_the_published_grid() -> None:
    anchors = anchor_grid(Size(672, 384), KITTI_SHAPES)
    assert anchors.shape == (9072, 4)
    # row 2, column 5, shape 4
    expected = torch.tensor([6 * 672 / 43, 3 * 384 / 25, 38, 90])
    torch.testing.assert_close(anchors[(2 * 42 + 5) * 9 + 4], expected)


def test_a_size_off_the_grid_is_refused() -> None:
    with pytest.raises(ValueError, match=r"divisible by 16, got 1242 x 375; try 1248 x 368"):
        anchor_grid(Size(1242, 375), KITTI_SHAPES)


def test_half_an_input_has_half_the_shapes() -> None:
    assert scaled_shapes(((36, 37), (100, 50)), 0.5) == ((18, 18.5), (50, 25))


def test_fitted_shapes_find_the_kinds_of_boxes() -> None:
    kinds = torch.tensor([[10.0, 30.0], [60.0, 20.0], [200.0, 150.0]])
    generator = generator_for("extents")
    extents = kinds.repeat(50, 1) * (1 + 0.05 * torch.randn(150, 2, generator=generator))
    shapes = fitted_shapes(extents, 3, generator=generator)
    torch.testing.assert_close(torch.tensor(shapes), kinds, rtol=0.03, atol=0)


def test_more_shapes_than_boxes_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3 different box extents, got 1"):
        fitted_shapes(torch.ones(10, 2), 3, generator=generator_for("few"))
