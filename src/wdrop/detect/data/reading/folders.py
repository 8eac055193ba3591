"""Where a detection data set lies: the folder given, `$WDROP_DATA`, the user's cache."""

import os
from collections.abc import Iterator
from pathlib import Path

from wdrop.data.places import VARIABLE, cache_folder


def places(name: str) -> Iterator[Path]:
    """The folders looked at when none is given, in their order."""
    if os.environ.get(VARIABLE):
        root = Path(os.environ[VARIABLE])
        yield root / "detection" / name
        yield root / name
    yield cache_folder() / "detection" / name


def find_folder(name: str, given: Path | str | None, tree: str) -> Path:
    """The folder of that data set."""
    candidates = [Path(given)] if given is not None else list(places(name))
    for folder in candidates:
        if folder.is_dir():
            return folder
    looked = ", ".join(str(folder) for folder in candidates)
    raise FileNotFoundError(
        f"{name}: found no folder {looked}; name one by `folder`, or put one there that looks like this\n{tree}"
    )
