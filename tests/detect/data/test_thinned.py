import pytest

from wdrop.detect.data import RenderedSet
from wdrop.detect.data.thinned import Thinned
from wdrop.detect.geometry.boxes import Size

SCENES = RenderedSet("test", 7, Size(64, 48))


def test_pictures_are_spread_over_the_set() -> None:
    some = Thinned(SCENES, 3)
    assert [some[index].name[-1] for index in range(3)] == ["0", "2", "4"]
    assert len(Thinned(SCENES, 100)) == 7
    assert Thinned(SCENES, 2).class_names == SCENES.class_names
    with pytest.raises(IndexError):
        Thinned(SCENES, 3)[3]
    with pytest.raises(ValueError, match="expected n of at least 1, got 0"):
        Thinned(SCENES, 0)
