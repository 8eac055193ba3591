"""Pictures from files: every failure names the file."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps

ENDINGS = (".png", ".jpg", ".jpeg")
_PHOTOGRAPHS = ("JPEG", "MPO")
_UPRIGHT, _ON_THEIR_SIDE = 1, (5, 6, 7, 8)  # of EXIF's eight orientations


class UnreadablePictureError(ValueError):
    """A file that should be a picture and is not; loading a set with `bad="skip"` catches it."""


def open_picture(path: Path) -> NDArray[np.uint8]:
    """The picture as (height, width, 3), uint8, red green blue; upright, as its camera notes."""
    with _told(path), Image.open(path) as picture:
        upright = picture if _orientation(picture) == _UPRIGHT else ImageOps.exif_transpose(picture)
        if upright.mode.startswith("I;16"):  # grey levels to 65535, which `convert` would cut at 255
            upright = Image.fromarray((np.asarray(upright) >> 8).astype(np.uint8))
        return np.array(upright.convert("RGB"), dtype=np.uint8)


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of the upright picture, from the file's header alone."""
    with _told(path), Image.open(path) as picture:
        width, height = picture.size
        return (height, width) if _orientation(picture) in _ON_THEIR_SIDE else (width, height)


def _orientation(picture: Image.Image) -> int:
    """How the camera was held, by EXIF's numbers; only photographs tell, and a PNG would be read whole for it."""
    return picture.getexif().get(ExifTags.Base.Orientation, _UPRIGHT) if picture.format in _PHOTOGRAPHS else _UPRIGHT


def in_folders(paths: Iterable[Path]) -> list[Path]:
    """The paths, in place of each folder the pictures in it by name; those in folders within are not looked for."""
    return [path for one in paths for path in (_within(one) if one.is_dir() else [one])]


def _within(folder: Path) -> list[Path]:
    found = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in ENDINGS]
    # some systems keep a file of their own beside each picture, under its name with a dot before
    found = [path for path in found if not path.name.startswith(".")]
    if not found:
        raise FileNotFoundError(f"{folder}: expected pictures in the folder ({', '.join(ENDINGS)}), found none")
    return found


def with_any_ending(stem: Path) -> Path:
    """The picture of that path under whichever ending it is stored; under `.png` if under none."""
    candidates = [stem.with_name(stem.name + ending) for ending in ENDINGS]
    return next((path for path in candidates if path.exists()), candidates[0])


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what Pillow raises into one error that names the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a damaged file can warn before it fails
            yield
    except FileNotFoundError:
        raise UnreadablePictureError(f"{path}: expected a picture, found no file") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise UnreadablePictureError(
            f"{path}: expected a picture, got a file that cannot be read as one ({error}); "
            "fetch it again or take it off the list"
        ) from error
