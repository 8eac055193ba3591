"""Where pictures are drawn."""

from collections.abc import Sequence
from pathlib import Path


def drawing_places(pictures: Sequence[Path], folder: Path) -> list[Path]:
    """Where each picture is drawn: under its own name as a PNG; two pictures for one place are refused."""
    pictures_by_place: dict[Path, Path] = {}
    for picture in pictures:
        place = folder / f"{picture.stem}.png"
        if place in pictures_by_place:
            raise ValueError(
                f"{pictures_by_place[place]} and {picture} would both be drawn in {place}; "
                "ask for them one by one, with a folder each"
            )
        pictures_by_place[place] = picture
    return list(pictures_by_place)
