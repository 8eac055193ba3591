"""The real samples, where the environment has them."""

import os
from pathlib import Path

import pytest


def detection_folder(*parts: str) -> Path:
    """A folder of the real samples; skips the test, saying why, where there are none."""
    root = os.environ.get("WDROP_DATA")
    if not root:
        pytest.skip("WDROP_DATA is not set: the real detection samples are not read")
    folder = Path(root, "detection", *parts)
    if not folder.exists():
        pytest.skip(f"{folder} does not exist: these real detection samples are not read")
    return folder
