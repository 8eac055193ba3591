"""Files that are written whole or not at all: a kill leaves the old file or the new."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A place beside the file to write to; it takes the file's place at the end, or vanishes after an error."""
    place = Path(path)
    beside = place.with_name(f".{place.name}.{os.getpid()}.partial")
    try:
        yield beside
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write the file, over whatever was there."""
    with written_whole(path) as beside:
        beside.write_bytes(content)
