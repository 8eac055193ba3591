"""Where results may be written: asked before any work is done, so that no work is lost and no file of another."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryFile


def check_folder(folder: Path) -> None:
    """Make the folder if need be; refuse a place where nothing can be written."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file; expected a folder to write to")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass  # tried, since permissions tell nothing of disks that are full or read-only
    except OSError as error:
        raise type(error)(f"nothing can be written to {folder}: {error.strerror}; name another place") from None


def check_file(path: Path, *, force: bool) -> None:
    """Refuse to write over a folder, and without `force` over a file."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected the name of a file to write")
    if path.exists() and not force:
        raise FileExistsError(f"{path} is already there; use --force to write over it, or another name")


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


def check_results(results: Iterable[Path], inputs: Iterable[Path], *, force: bool) -> None:
    """Refuse results that would take the place of an input, with or without `force`, or of another file without."""
    precious = {path.resolve() for path in inputs}
    for path in results:
        if path.resolve() in precious:
            raise FileExistsError(f"{path} is an input and would be written over; write to another folder")
        check_file(path, force=force)
