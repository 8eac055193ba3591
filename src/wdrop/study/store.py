"""Where the outcomes of runs lie: one folder a run, written whole or not at all, never overwritten.

    <store>/<key>/record.json       config and rows
    <store>/<key>/predictions.npz   arrays, compressed
    <store>/locks/<key>.lock        held by whoever is at work on that run

A folder is filled under another name and then renamed, which either happens or does not: `kill -9` costs the runs in
flight and nothing else. Two processes that end the same run do no harm; the first one stays.
"""

import json
import os
import shutil
import socket
import uuid
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final
from zipfile import BadZipFile

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from wdrop._files import written_whole
from wdrop.study.plan import Run
from wdrop.study.run import Outcome

_IN_EVERY_ROW = {"status", "seconds", "fold", "part"}


@final
@dataclass(frozen=True)
class Store:
    """The outcomes of a study.

    also  rows of runs that are recorded elsewhere, by key: they count as done, and nothing of them is written
    """

    folder: Path
    also: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def has(self, run: Run) -> bool:
        """Whether the run is done; one that failed is not, and may be tried again."""
        return run.key in self.also or (self.folder / run.key / "record.json").exists()

    def has_failed(self, run: Run) -> bool:
        return (self.folder / f"{run.key}.failed" / "record.json").exists()

    def has_arrays(self, run: Run) -> bool:
        """Whether the predictions of the run lie here; those of a run taken from a records.csv do not."""
        return (self.folder / run.key / "predictions.npz").exists()

    def add(self, run: Run, outcome: Outcome) -> None:
        """Keep the outcome of a run. Without arrays it has no predictions."""
        failed = any(row["status"] == "failed" for row in outcome.rows)
        target = self.folder / (f"{run.key}.failed" if failed else run.key)
        part = self.folder / f"{run.key}.part-{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        try:
            part.mkdir(parents=True)
            self._fill(part, run, outcome)
            if failed or not self.has(run):  # the latest error is the one to read; without a record nothing is
                shutil.rmtree(target, ignore_errors=True)
            os.rename(part, target)
        except OSError as error:
            shutil.rmtree(part, ignore_errors=True)
            if not self.has(run):  # else another process was first, and its outcome stays
                raise self._not_written(error) from None
        if not failed:
            shutil.rmtree(self.folder / f"{run.key}.failed", ignore_errors=True)

    def replace_rows(self, run: Run, rows: Iterable[Mapping[str, Any]]) -> None:
        """Put other rows into the record of a run that is done, whole or not at all."""
        record = {**self._record(run.key), "rows": list(rows)}
        try:
            with written_whole(self.folder / run.key / "record.json") as beside:
                write_through(beside, json.dumps(record, indent=1).encode())
        except OSError as error:
            raise self._not_written(error) from None

    def own_rows(self, run: Run) -> list[dict[str, Any]]:
        """The rows of a run that is done, as it left them."""
        rows = self.also[run.key] if run.key in self.also else self._record(run.key)["rows"]
        return [dict(row) for row in rows]

    def rows(self, runs: Iterable[Run]) -> list[dict[str, Any]]:
        """The records of these runs as flat rows, those not run yet left out."""
        found: list[dict[str, Any]] = []
        for run in runs:
            if self.has(run):
                found += [{**identity(run), **row} for row in self.own_rows(run)]
            elif self.has_failed(run):
                found += [{**identity(run), **row} for row in self._record(f"{run.key}.failed")["rows"]]
        return found

    def arrays(self, run: Run) -> Mapping[str, NDArray[Any]]:
        """The run's predictions by name, e.g. "0/test/mean"."""
        path = self.folder / run.key / "predictions.npz"
        try:
            with path.open("rb") as file, np.load(file) as arrays:
                return dict(arrays)
        except (BadZipFile, ValueError, EOFError, KeyError, RuntimeError, zlib.error):
            raise _damaged(path) from None

    @contextmanager
    def claimed(self, runs: Iterable[Run]) -> Iterator[list[Run]]:
        """While open, nobody else works on these runs; gives those that are not done and not somebody else's.

        The operating system frees the locks of a process that was killed.
        """
        (self.folder / "locks").mkdir(parents=True, exist_ok=True)
        held: list[FileLock] = []
        mine = []
        try:
            for run in runs:
                lock = FileLock(self.folder / "locks" / f"{run.key}.lock")
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    continue
                held.append(lock)
                if not self.has(run):
                    mine.append(run)
            yield mine
        finally:
            for lock in held:
                lock.release()

    def sweep(self) -> None:
        """Remove what killed processes of this machine left half-written."""
        for part in self.folder.glob("*.part-*"):
            host, _, pid = part.name.partition(".part-")[2].rpartition("-")[0].rpartition("-")
            if host == socket.gethostname() and not _is_alive(int(pid)):
                shutil.rmtree(part, ignore_errors=True)

    def _fill(self, part: Path, run: Run, outcome: Outcome) -> None:
        record = {"key": run.key, "config": run.config(), "rows": list(outcome.rows)}
        write_through(part / "record.json", json.dumps(record, indent=1).encode())
        if outcome.arrays:
            with (part / "predictions.npz").open("wb") as file:
                np.savez_compressed(file, **outcome.arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())

    def _record(self, name: str) -> dict[str, Any]:
        path = self.folder / name / "record.json"
        try:
            record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            whole = [row["status"] == "failed" or row.keys() >= _IN_EVERY_ROW for row in record["rows"]]
        except (ValueError, KeyError, TypeError, AttributeError):
            whole = []
        if not whole or not all(whole):
            raise _damaged(path)
        return record

    def _not_written(self, error: OSError) -> OSError:
        return OSError(
            f"cannot write to the store {str(self.folder)!r}: {error.strerror or error}; mend that and run the study "
            "again: what is finished is kept"
        )


def _damaged(path: Path) -> ValueError:
    return ValueError(f"the file {str(path)!r} is damaged; delete the folder {path.parent.name!r} to run it again")


def identity(run: Run) -> dict[str, Any]:
    """What tells the rows of a study apart."""
    return {
        "key": run.key,
        "group": run.group,
        "dataset": run.dataset,
        **{f"dataset_{name}": value for name, value in run.dataset_options.items()},
        "split": run.split,
        "method": run.method_name,
        "variant": run.variant,
        "seed": run.seed,
    }


def write_through(path: Path, data: bytes) -> None:
    """Write a file and see it onto the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _is_alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # asking in the way below is a Ctrl-C there; what stays half-written harms nobody
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
