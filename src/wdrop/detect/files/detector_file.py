"""A detector as one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.files.tensor_file import read_tensors, write_tensors
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import Architecture, SqueezeDet

_KIND = "detector"


def save_detector(net: SqueezeDet, path: Path | str, facts: Mapping[str, Any] | None = None) -> None:
    """Write the detector, and what is worth knowing of it: how it was trained, on what, under which licence."""
    description = {"architecture": architecture_table(net.architecture), "facts": dict(facts or {})}
    write_tensors(Path(path), net.state_dict(), _KIND, description)


def load_detector(path: Path | str) -> tuple[SqueezeDet, dict[str, Any]]:
    """The detector in the file, on the CPU, and what is worth knowing of it."""
    tensors, description = read_tensors(Path(path), _KIND)
    try:
        architecture, facts = architecture_from(description["architecture"]), dict(description["facts"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: expected a detector's description in its header, got it damaged ({error})") from None
    net = SqueezeDet(architecture, generator=generator_for("replaced at once"))
    fill(net, tensors, Path(path))
    return net.eval(), facts


def fill(net: SqueezeDet, tensors: dict[str, Tensor], path: Path) -> None:
    """Load weights, refusing those of another network, and damaged ones, by the file's name."""
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            raise ValueError(f"{path}: expected finite weights, got NaN or infinity in {name}")
    try:
        net.load_state_dict(tensors)
    except RuntimeError as error:
        first = str(error).splitlines()[1].strip()  # under torch's heading, a line for each weight
        raise ValueError(
            f"{path}: expected the weights of the architecture it describes, got others: {first}"
        ) from None


def architecture_table(architecture: Architecture) -> dict[str, Any]:
    """The architecture in words that JSON knows."""
    return {
        "classes": list(architecture.classes),
        "size": list(architecture.size),
        "anchor_shapes": [list(shape) for shape in architecture.anchor_shapes],
        "dropout": architecture.dropout,
    }


def architecture_from(table: Mapping[str, Any]) -> Architecture:
    """The architecture out of that table."""
    width, height = table["size"]
    return Architecture(
        classes=tuple(table["classes"]),
        size=Size(width, height),
        anchor_shapes=tuple((w, h) for w, h in table["anchor_shapes"]),
        dropout=table["dropout"],
    )
