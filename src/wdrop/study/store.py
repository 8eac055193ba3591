"""Where the outcomes of runs lie: one folder a run, written whole or not at all, never overwritten.

    <store>/<key>/record.json       config and rows
    <store>/<key>/predictions.npz   arrays, compressed

A folder is filled under another name and then renamed, which either happens or does not: `kill -9` costs the runs in
flight and nothing else. Two processes that end the same run do no harm; the first one stays.
"""

import json
import os
import shutil
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop.study.plan import Run
from wdrop.study.run import Outcome


@final
@dataclass(frozen=True)
class Store:
    """The outcomes of a study."""

    folder: Path

    def has(self, run: Run) -> bool:
        """Whether the run is done; one that failed is not, and may be tried again."""
        return (self.folder / run.key / "record.json").exists()

    def has_failed(self, run: Run) -> bool:
        return (self.folder / f"{run.key}.failed" / "record.json").exists()

    def seconds(self, run: Run) -> float:
        """How long a run took that is done."""
        return float(self._record(self.folder / run.key / "record.json")["rows"][0]["seconds"])

    def add(self, run: Run, outcome: Outcome) -> None:
        failed = any(row["status"] == "failed" for row in outcome.rows)
        target = self.folder / (f"{run.key}.failed" if failed else run.key)
        part = self.folder / f"{run.key}.part-{uuid.uuid4().hex[:8]}"
        part.mkdir(parents=True)
        try:
            record = {"key": run.key, "config": run.config(), "rows": list(outcome.rows)}
            _write(part / "record.json", json.dumps(record, indent=1).encode())
            with (part / "predictions.npz").open("wb") as file:
                np.savez_compressed(file, **outcome.arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            if failed:
                shutil.rmtree(target, ignore_errors=True)  # the latest error is the one to read
            os.rename(part, target)
        except OSError:
            shutil.rmtree(part, ignore_errors=True)
            if not self.has(run):  # else another process was first, and its outcome stays
                raise
        if not failed:
            shutil.rmtree(self.folder / f"{run.key}.failed", ignore_errors=True)

    def rows(self, runs: Iterable[Run]) -> list[dict[str, Any]]:
        """The records of these runs as flat rows, those not run yet left out."""
        found = []
        for run in runs:
            for name in (run.key, f"{run.key}.failed"):
                path = self.folder / name / "record.json"
                if path.exists():
                    found += [{**_identity(run), **row} for row in self._record(path)["rows"]]
                    break
        return found

    def arrays(self, run: Run) -> Mapping[str, NDArray[Any]]:
        """The run's predictions by name, e.g. "0/test/mean"."""
        with np.load(self.folder / run.key / "predictions.npz") as file:
            return dict(file)

    def _record(self, path: Path) -> dict[str, Any]:
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise ValueError(
                f"the record {str(path)!r} is damaged; delete the folder {path.parent.name!r} to run it again"
            ) from None


def _identity(run: Run) -> dict[str, Any]:
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


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
