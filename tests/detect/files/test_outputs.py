from pathlib import Path

import pytest

from wdrop.detect.files.outputs import drawing_places


def test_two_pictures_are_never_drawn_in_one_place() -> None:
    out = Path("out")
    assert drawing_places([Path("a/x.jpg"), Path("y.png")], out) == [out / "x.png", out / "y.png"]
    for other in ("b/x.png", "a/x.png", "x.jpg"):
        with pytest.raises(ValueError, match=r"a.x\.png and .* would both be drawn in out.x\.png; ask for them one by"):
            drawing_places([Path("a/x.png"), Path(other)], out)
