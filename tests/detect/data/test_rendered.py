import numpy as np
import pytest
import torch

from wdrop._random import generator_for
from wdrop.detect.data import load_detection, render
from wdrop.detect.data.rendered import RenderedSet
from wdrop.detect.data.rendering.canvas import Canvas
from wdrop.detect.geometry.boxes import Size


def test_the_generator_decides_everything() -> None:
    one, again, other = (render(generator=generator_for(name)) for name in ("a", "a", "b"))
    np.testing.assert_array_equal(one.image, again.image)
    assert torch.equal(one.boxes, again.boxes)
    assert not np.array_equal(one.image, other.image)


def test_scenes_have_objects_of_all_classes_inside_the_picture() -> None:
    scenes = [RenderedSet("train", 60)[number] for number in range(60)]
    classes = torch.cat([scene.classes for scene in scenes])
    assert (torch.bincount(classes, minlength=3) > 10).all()
    for scene in scenes:
        assert len(scene.boxes) >= 1
        assert scene.boxes.min() >= 0
        assert (scene.boxes[:, 2:] <= torch.tensor([335, 191])).all()
        assert (scene.boxes[:, 2:] - scene.boxes[:, :2] >= 4).all()


def test_a_longer_set_begins_like_a_shorter_one_and_splits_differ() -> None:
    short, long = RenderedSet("train", 3), RenderedSet("train", 30)
    np.testing.assert_array_equal(short[2].image, long[2].image)
    np.testing.assert_array_equal(short[-1].image, short[2].image)
    assert not np.array_equal(short[2].image, RenderedSet("test", 3)[2].image)
    with pytest.raises(IndexError, match="below 3, got 3"):
        short[3]


def test_it_loads_like_any_other_set() -> None:
    found = load_detection("rendered", "test", n_pictures=4, size=(160, 96), seed=3)
    assert found[0].size == Size(160, 96)
    assert len(found.boxes()) == found.n_objects
    with pytest.raises(ValueError, match="lie in no folder"):
        load_detection("rendered", "test", folder="somewhere")


def test_a_box_is_what_was_drawn() -> None:
    canvas = Canvas(Size(40, 30))
    canvas.rectangle(0, 0, 39, 29, (9, 9, 9))
    canvas.start_object()
    canvas.rectangle(5, 6, 14, 15, (200, 0, 0))
    canvas.start_object()
    canvas.rectangle(10, 6, 60, 15, (0, 200, 0))
    assert canvas.objects() == [((5, 6, 14, 15), 0.5), ((10, 6, 39, 15), 1.0)]
