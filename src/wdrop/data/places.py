"""Where data files are looked for."""

import os
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "WDROP_DATA"


def cache_folder() -> Path:
    """Where downloads go."""
    return user_cache_path("wdrop") / "data"


def folders() -> list[Path]:
    """In this order: $WDROP_DATA, `uci` inside it, the user's cache."""
    own = os.environ.get(VARIABLE)
    return [*([Path(own), Path(own) / "uci"] if own else []), cache_folder()]


def find(names: Iterable[str]) -> Path | None:
    """The first file of one of these names, folder by folder."""
    names = list(names)
    return next((folder / name for folder in folders() for name in names if (folder / name).is_file()), None)
