"""The examples of one pass run, and find which inputs are noisy."""

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, n_steps: int) -> Any:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"](n_steps)


@pytest.mark.parametrize(
    ("name", "n_steps", "quiet", "loud"), [("cnn_head", 1000, 0.5, 2.0), ("transformer_head", 500, 0.3, 1.2)]
)
def test_a_head_tells_loud_from_quiet_inputs(name: str, n_steps: int, quiet: float, loud: float) -> None:
    found = run(name, n_steps)
    assert found[loud] > 1.5 * found[quiet]


def test_a_network_trained_without_a_draw_tells_loud_from_quiet_points() -> None:
    found = run("one_pass", 400)
    for left, right in found.values():
        assert right > 2 * left
