import json
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from wdrop.detect.files.detector_file import architecture_table, load_detector, save_detector
from wdrop.detect.network.squeezedet import SqueezeDet


@pytest.fixture
def path(net: SqueezeDet, tmp_path: Path) -> Path:
    save_detector(net, tmp_path / "model")
    return tmp_path / "model"


def rewrite(path: Path, **header: str | None) -> None:
    """Put these entries into the file's header, None takes one away."""
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in list(file.keys())}
        entries = {**file.metadata(), **header}
    save_file(tensors, path, {name: text for name, text in entries.items() if text is not None})


@pytest.mark.parametrize("header", [{"description": None}, {"description": "{"}, {"version": None}, {"version": "one"}])
def test_a_damaged_header_is_refused_by_name(header: dict[str, str | None], path: Path) -> None:
    rewrite(path, **header)
    with pytest.raises(ValueError, match=r"model: expected version and description in its header, got it damaged"):
        load_detector(path)


@pytest.mark.parametrize("architecture", [None, 5, {}, {"classes": ["car"]}, {"size": 5}])
def test_a_description_without_an_architecture_is_refused_by_name(architecture: object, path: Path) -> None:
    rewrite(path, description=json.dumps({"architecture": architecture, "facts": {}}))
    with pytest.raises(ValueError, match=r"model: expected a detector's description in its header, got it damaged"):
        load_detector(path)


def test_weights_that_are_no_numbers_are_refused_by_name(net: SqueezeDet, tmp_path: Path) -> None:
    with torch.no_grad():
        net.head.conv.weight[0] = float("nan")
    save_detector(net, tmp_path / "model")
    with pytest.raises(ValueError, match=r"model: expected finite weights, got NaN or infinity in head\.conv\.weight"):
        load_detector(tmp_path / "model")


def test_weights_of_another_architecture_are_refused_in_one_line(net: SqueezeDet, path: Path) -> None:
    table = architecture_table(net.architecture) | {"classes": ["car"]}
    rewrite(path, description=json.dumps({"architecture": table, "facts": {}}))
    with pytest.raises(ValueError, match=r"got others: size mismatch for head\.conv\.weight.*") as caught:
        load_detector(path)
    assert "\n" not in str(caught.value)
