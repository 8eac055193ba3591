"""Boxes that took long to find, kept in the user's cache: going through A2D2's segmentation anew would take an hour."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from wdrop.data.places import cache_folder


class Remembered:
    """Values by file, of one folder and one way to compute them; a file that changed is computed again.

    Used in a `with` block, at whose end what is new is written, whole or not at all. A cache that cannot be read or
    written is no cache and no error.
    """

    def __init__(self, folder: Path, way: str) -> None:
        key = hashlib.sha256(json.dumps([str(folder.resolve()), way]).encode()).hexdigest()[:20]
        self._file = cache_folder() / "detection" / "found-boxes" / f"{key}.json"
        self._new = False
        self._values = self._read()

    def get(self, path: Path, compute: Callable[[], Any]) -> Any:
        """The value for that file, remembered or computed."""
        status = path.stat()
        stamp = [status.st_size, status.st_mtime_ns]
        entry = self._values.get(path.name)
        if entry is None or entry[0] != stamp:
            entry = self._values[path.name] = [stamp, compute()]
            self._new = True
        return entry[1]

    def __enter__(self) -> "Remembered":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._new:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft = self._file.with_suffix(f".{os.getpid()}")
            draft.write_text(json.dumps(self._values))
            draft.replace(self._file)
        except OSError:
            pass

    def _read(self) -> dict[str, list[Any]]:
        try:
            found = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
