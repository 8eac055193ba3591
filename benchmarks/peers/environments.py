"""One virtual environment for each contender, and what it holds.

torch is large and the same for all: it is installed once, and the others see it through a path file. Sizes and
numbers of packages count it for each contender that needs it, as a user would have to install it.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from benchmarks.peers.plan import Contender, lines_of_user_code

ROOT = Path(__file__).parents[2]
N_IMPORTS = 5

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "MKL", "OPENBLAS", "NUMEXPR")}

_CENSUS = """
import json
from importlib.metadata import distributions
found = {}
for one in distributions():
    found.setdefault(one.metadata["Name"].lower().replace("_", "-"), one)
paths = {file.locate() for one in found.values() for file in one.files or ()}
size = sum(path.stat().st_size for path in paths if path.is_file())
print(json.dumps({"versions": {name: one.version for name, one in sorted(found.items())}, "megabytes": size / 1e6}))
"""


@final
@dataclass(frozen=True)
class Environment:
    """A contender's Python, and facts about what is installed; or why it could not be."""

    python: Path
    facts: dict[str, Any]

    @property
    def error(self) -> str | None:
        return self.facts.get("error")


def variables() -> dict[str, str]:
    """The environment of every process that is measured: one thread, this project's benchmarks, nothing else of it."""
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}


def prepared(contender: Contender, venvs: Path, base: Sequence[str], torch_index: str | None) -> Environment:
    """The contender's environment, made if it is not there."""
    folder = venvs / contender.name
    python = _python(folder)
    wanted = json.dumps([*base, *contender.requirements])
    mark = folder / "installed.json"
    facts: dict[str, Any] = {"note": contender.note, "lines": lines_of_user_code(contender.script.read_text())}
    try:
        if contender.torch:
            _base(venvs / "base", base, torch_index)
        if not mark.exists() or mark.read_text() != wanted:
            _make(folder, see=venvs / "base" if contender.torch else None)
            _pip(python, base, *contender.requirements)
            mark.write_text(wanted)
        elif "." in contender.requirements:  # this project may have changed since
            _pip(python, base, "--no-deps", "--force-reinstall", ".")
        facts |= _census(python, contender)
        facts["import_seconds"] = import_seconds(python, contender.imports)
    except subprocess.CalledProcessError as error:
        facts["error"] = last_line(error.stderr) or f"exit code {error.returncode}"
    return Environment(python, facts)


def import_seconds(python: Path, imports: str) -> float:
    """How long the import takes in a fresh process; median of five."""
    code = f"import time; start = time.perf_counter(); {imports}; print(time.perf_counter() - start)"
    return statistics.median(float(_output(python, "-c", code).split()[-1]) for _ in range(N_IMPORTS))


def last_line(text: str) -> str:
    """What went wrong, out of what pip or Python wrote: the last line that is no warning or notice."""
    lines = [line.strip() for line in text.splitlines()]
    telling = [line for line in lines if line and not line.startswith(("WARNING", "[notice]"))]
    return telling[-1].replace(str(ROOT), ".")[:300] if telling else ""


def _census(python: Path, contender: Contender) -> dict[str, Any]:
    found = json.loads(_output(python, "-c", _CENSUS))
    versions: dict[str, str] = found["versions"]
    return {
        "version": versions[contender.package],
        "packages": len(versions),
        "megabytes": found["megabytes"],
        "versions": versions,
    }


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _base(folder: Path, base: Sequence[str], torch_index: str | None) -> None:
    if not (folder / "installed.json").exists():
        _make(folder, see=None)
        _pip(_python(folder), (), *base, *(["--index-url", torch_index] if torch_index else []))
        (folder / "installed.json").write_text(json.dumps(list(base)))


def _make(folder: Path, *, see: Path | None) -> None:
    """A fresh environment without pip of its own, so that pip is not counted; `see` is another that it sees."""
    _run(sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder))
    if see is not None:
        _site(folder).joinpath("base.pth").write_text(f"{_site(see)}\n")


def _site(folder: Path) -> Path:
    return Path(_output(_python(folder), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())


def _pip(python: Path, constraints: Sequence[str], *arguments: str) -> None:
    """Install; what `constraints` name, pip must not choose freely."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    limits = python.parents[1] / "constraints.txt"
    limits.write_text("\n".join(constraints) + "\n")
    _run(*pip, "-c", str(limits), *arguments)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)


def _output(python: Path, *arguments: str) -> str:
    # not in the project's folder: only PYTHONPATH decides what of it is seen
    command = [str(python.absolute()), *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=variables(), cwd=python.parent
    ).stdout
