from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from wdrop.detect.data.reading.pictures import open_picture, picture_size


def test_grey_levels_of_sixteen_bits_stay_apart(tmp_path: Path) -> None:
    levels = np.array([[0, 255, 256], [25600, 40000, 65535]], dtype=np.uint16)
    Image.fromarray(levels).save(tmp_path / "grey.png")
    picture = open_picture(tmp_path / "grey.png")
    assert picture.shape == (2, 3, 3)
    assert picture[..., 0].tolist() == [[0, 0, 1], [100, 156, 255]]


@pytest.mark.parametrize(("orientation", "size", "bright"), [
    (1, (64, 32), "left"), (3, (64, 32), "right"), (6, (32, 64), "top"), (8, (32, 64), "bottom"),
])  # fmt: skip
def test_a_photograph_is_turned_as_the_camera_was_held(
    orientation: int, size: tuple[int, int], bright: str, tmp_path: Path
) -> None:
    stored = np.zeros((32, 64), dtype=np.uint8)
    stored[:, :32] = 255
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    Image.fromarray(stored).save(tmp_path / "photo.jpg", exif=exif)
    assert picture_size(tmp_path / "photo.jpg") == size
    picture = open_picture(tmp_path / "photo.jpg")
    assert picture.shape == (size[1], size[0], 3)
    sides = {"left": picture[:, :8], "right": picture[:, -8:], "top": picture[:8], "bottom": picture[-8:]}
    assert max(sides, key=lambda side: sides[side].mean()) == bright
