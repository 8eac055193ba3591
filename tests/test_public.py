"""`import wdrop`: every promised name is there, and nothing heavy comes with it."""

import subprocess
import sys

import pytest

import wdrop


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("name", wdrop.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(wdrop, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        wdrop.no_such_name  # noqa: B018


def test_importing_wdrop_loads_neither_torch_nor_numpy() -> None:
    assert not loaded_after("import wdrop") & {"torch", "numpy", "scipy", "matplotlib"}


def test_measures_need_no_torch() -> None:
    modules = loaded_after("import wdrop; wdrop.evaluate([0.0, 1.0], [1.0, 1.0], [0.5, 0.5])")
    assert "torch" not in modules
    assert "wdrop.measures" in modules


def test_figures_are_loaded_only_where_they_are_drawn() -> None:
    assert "matplotlib" not in loaded_after("import wdrop.methods, wdrop.cli.app")
