"""Where results may be written: asked before any work is done, so that no work is lost and no file of another."""

import os
from collections.abc import Iterable
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
    """Refuse to write over anything but a file, and over that without `force`."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected the name of a file to write")
    if not os.path.lexists(path):
        return
    if path.is_symlink() or not path.is_file():  # a new file would take the place of the link, the pipe or the device
        kind = f"a link to {path.readlink()}" if path.is_symlink() else "a device or a pipe"
        raise FileExistsError(f"{path} is {kind} and stays what it is; expected the name of a file to write")
    if not force:
        raise FileExistsError(f"{path} is already there; use --force to write over it, or another name")


def check_results(results: Iterable[Path], inputs: Iterable[Path], *, force: bool) -> None:
    """Refuse results that would take the place of an input or of each other, or of another file without `force`."""
    precious, taken = {path.resolve() for path in inputs}, set[Path]()
    for path in results:
        place = path.resolve()
        if place in precious:
            raise FileExistsError(f"{path} is an input and would be written over; write to another place")
        if place in taken:
            raise FileExistsError(f"two results would be written to {path}; give each a place of its own")
        taken.add(place)
        check_file(path, force=force)
