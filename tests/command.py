"""The command in this process: a process of its own takes seconds to start."""

import io
import sys
from typing import NamedTuple

import pytest

from wdrop.cli.app import run


class Shown(NamedTuple):
    code: int
    out: str
    err: str


def wdrop(*arguments: object, capsys: pytest.CaptureFixture[str], stdin: bytes = b"") -> Shown:
    """Exit code, stdout and stderr of the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENBLAS_NUM_THREADS", "1")  # which predict would else set for all tests to come
        patch.setattr(sys, "argv", ["wdrop", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            run()
    shown = capsys.readouterr()
    return Shown(int(ended.value.code or 0), shown.out, shown.err)
