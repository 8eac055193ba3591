"""`import wdrop.detect`: every promised name is there, and nothing heavy comes with it."""

import subprocess
import sys
from pathlib import Path

import pytest

import wdrop.detect


@pytest.mark.parametrize("name", wdrop.detect.__all__)
def test_every_public_name_is_there_and_is_no_folder(name: str) -> None:
    """A folder of that name would take its place as soon as anything in it is imported."""
    assert getattr(wdrop.detect, name) is not None
    assert not (Path(wdrop.detect.__file__).parent / name).exists()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        wdrop.detect.no_such_name  # noqa: B018


def test_importing_it_loads_neither_torch_nor_numpy() -> None:
    code = "import sys, wdrop.detect\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(loaded) & {"torch", "numpy", "scipy", "PIL"}
