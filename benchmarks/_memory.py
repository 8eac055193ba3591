"""How much memory a call needs on top of what is there."""

import ctypes
import platform
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def with_peak(run: Callable[[], T]) -> tuple[T, float]:
    """What the call gives, and the MiB by which the resident memory rose at most while it ran.

    Linux can forget an earlier peak; where it cannot be forgotten, only what goes beyond it is told.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)  # what was freed before and kept would hide what the call needs
    if _FORGET.exists():
        _FORGET.write_text("5")
    before = _resident_mib() if _STATUS.exists() else peak_mib()
    result = run()
    return result, peak_mib() - before


def peak_mib() -> float:
    """The most memory that this process has held, in MiB."""
    if _STATUS.exists():
        # ru_maxrss of a new process starts at what the process that started it held
        return _status("VmHWM")
    in_bytes = sys.platform == "darwin"
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if in_bytes else 2**10)


def _resident_mib() -> float:
    return _status("VmRSS")


def _status(name: str) -> float:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) / 2**10
