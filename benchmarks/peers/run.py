"""Measure wdrop beside its peers: the same problems, one thread, in turns; each in an environment of its own.

    python -m benchmarks.peers.run                      all of it, into results/peers
    python -m benchmarks.peers.run --quick              two epochs, one repeat: does everything run?
    python -m benchmarks.peers.run --only wdrop mapie   some contenders

What is done already is not repeated: delete records.csv to measure anew. Then report.py is run on the records.
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.peers import records, report
from benchmarks.peers.environments import ROOT, Environment, last_line, prepared, variables
from benchmarks.peers.harness import Job
from benchmarks.peers.plan import FOLDER, Key, Plan, Round
from benchmarks.peers.problems import PROBLEMS, arrays

from wdrop import measures
from wdrop._checks import known

LIMIT_SECONDS = 600  # for one job, whatever it measures
QUICK_EPOCHS = 4


def measured(key: Key, part: Round, environment: Environment, work: Path, *, quick: bool) -> dict[str, Any]:
    """The record of one job, run in the contender's environment."""
    job = Job(
        method=key.method, width=key.width, seed=key.repeat, most_seconds=1 if quick else part.most_seconds,
        epochs=QUICK_EPOCHS if quick else Job.epochs,
    )  # fmt: skip
    job_path, prediction_path = work / "job.json", work / "prediction.npz"
    job_path.write_text(json.dumps(asdict(job)))
    command = [str(environment.python.absolute()), "-m", f"benchmarks.peers.run_{key.contender}"]
    paths = [str(path) for path in (points_path(work, key.problem), job_path, prediction_path)]
    record: dict[str, Any] = {"version": environment.facts["version"], "epochs": job.epochs, "error": ""}
    try:
        ran = subprocess.run(
            command + paths, capture_output=True, text=True, env=variables(), cwd=work, timeout=LIMIT_SECONDS
        )
    except subprocess.TimeoutExpired:
        return record | {"error": f"not done after {LIMIT_SECONDS} s"}
    if ran.returncode != 0:
        return record | {"error": last_line(ran.stderr) or f"exit code {ran.returncode}"}
    record |= json.loads(ran.stdout.splitlines()[-1])
    if key.method == "measures":
        return record | {"epochs_measured": job.epochs, "fit_seconds": "", "model_bytes": ""}
    whole = record["epochs_measured"] == job.epochs
    return record | (quality(prediction_path, points_path(work, key.problem)) if whole else {})


def quality(prediction_path: Path, points_path: Path) -> dict[str, float]:
    """How good the forecast is, by the same measures for all; only asked of what was trained to the end."""
    with np.load(prediction_path) as prediction, np.load(points_path) as points:
        mean, std, y = prediction["mean"], prediction["std"], points["test_y"].astype(np.float64)
    return {name: getattr(measures, name)(mean, std, y) for name in ("rmse", "nll", "ece", "ws")}


def points_path(work: Path, problem: str) -> Path:
    path = work / f"{problem}.npz"
    if not path.exists():
        np.savez(path, **arrays(PROBLEMS[problem]))  # type: ignore[arg-type]
    return path


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def machine() -> dict[str, Any]:
    import os

    return {
        "processor": processor(), "cores": os.cpu_count(), "system": platform.system(),
        "python": platform.python_version(), "date": time.strftime("%Y-%m-%d"),
    }  # fmt: skip


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.run", description="wdrop beside its peers")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these contenders alone")
    parser.add_argument("--repeats", type=int, default=3, help="at most so many of each job (3)")
    parser.add_argument("--quick", action="store_true", help="few epochs, one repeat, into a folder of its own")
    parser.add_argument("--out", type=Path, help="where records and tables go (results/peers)")
    parser.add_argument("--venvs", type=Path, default=FOLDER / ".venvs", help="where the environments are kept")
    parser.add_argument("--torch-index", help="take torch from that index")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    options, plan = arguments(given), Plan.read()
    out = options.out or (FOLDER / ".quick" if options.quick else ROOT / "results" / "peers")
    names = options.only or list(plan.contenders)
    for name in names:
        known("contender", name, plan.contenders)
    out.mkdir(parents=True, exist_ok=True)
    environments = {}
    for name in names:
        print(f"environment of {name} ...", file=sys.stderr, flush=True)
        environments[name] = prepared(plan.contenders[name], options.venvs, plan.base, options.torch_index)
    write_versions(out / "versions.json", environments)
    n_failed = sum(environment.error is not None for environment in environments.values())
    ready = [name for name in names if environments[name].error is None]
    path = out / "records.csv"
    finished = records.done(path)
    with tempfile.TemporaryDirectory() as work:
        for key, part in plan.jobs(ready, 1 if options.quick else options.repeats):
            if key in finished:
                continue
            record = measured(key, part, environments[key.contender], Path(work), quick=options.quick)
            records.append(path, key, record)
            n_failed += bool(record["error"])
            print(told(key, record), file=sys.stderr, flush=True)
    for written in report.write(out):
        print(written)
    return 1 if n_failed else 0


def told(key: Key, record: dict[str, Any]) -> str:
    """One line of progress."""
    where = f"{key.repeat + 1}  {key.problem:6} 2x{key.width:<3}  {key.contender:20} {key.method:21}"
    if record["error"]:
        return f"{where} failed: {record['error']}"
    fit = f"fit {record['fit_seconds']:8.2f} s" if record["fit_seconds"] != "" else " " * 14
    return f"{where} {fit}   predict {record['predict_seconds']:8.4f} s"


def write_versions(path: Path, environments: dict[str, Environment]) -> None:
    """What was installed, what that costs, and the machine; contenders of earlier runs stay."""
    before = json.loads(path.read_text())["contenders"] if path.exists() else {}
    contenders = before | {name: environment.facts for name, environment in environments.items()}
    path.write_text(json.dumps({"machine": machine(), "contenders": contenders}, indent=1) + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
