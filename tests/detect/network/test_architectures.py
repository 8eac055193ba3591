import pytest
import torch

from wdrop._random import generator_for
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.architectures import architecture_for, size_of


def test_anchors_follow_the_height() -> None:
    half = architecture_for(("car",), Size(336, 192))
    assert half.anchor_shapes[0] == (18, 18.5)


def test_fitted_anchors_are_in_pixels_of_the_input() -> None:
    boxes = torch.tensor([[0.1, 0.1, 0.1 + 0.02 * k, 0.1 + 0.03 * k] for k in range(1, 13)])
    found = architecture_for(("car",), Size(320, 160), anchors="fitted", boxes=boxes, generator=generator_for("a"))
    assert len(found.anchor_shapes) == 9
    width, height = found.anchor_shapes[0]
    assert width / 320 == pytest.approx(height / 160 * 2 / 3, rel=1e-4)
    with pytest.raises(ValueError, match="expected boxes to fit anchors to, got none"):
        architecture_for(("car",), Size(320, 160), anchors="fitted", generator=generator_for("a"))
    with pytest.raises(ValueError, match=r"expected a generator to fit anchors with, got none; for example torch.Gen"):
        architecture_for(("car",), Size(320, 160), anchors="fitted", boxes=boxes)


def test_sizes_are_read_as_they_are_written() -> None:
    assert size_of("672x384") == (672, 384)
    with pytest.raises(ValueError, match="expected a size like 672x384, got '672'"):
        size_of("672")
