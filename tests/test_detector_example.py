"""The detector's example runs and finds something."""

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "detector.py"


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_the_detector_finds_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = runpy.run_path(str(EXAMPLE))["main"](10)
    assert found["n_matched"] > 0
    assert found["std"] > 0
