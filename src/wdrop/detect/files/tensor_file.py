"""Tensors and a description in one file: safetensors with JSON in its header. Nothing in it can execute."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from wdrop._version import __version__

VERSION = 1


def write_tensors(path: Path, tensors: Mapping[str, Tensor], kind: str, description: Mapping[str, Any]) -> None:
    """Write the file whole or not at all: a kill leaves the old one or the new."""
    header = {
        "format": f"wdrop {kind}",
        "version": str(VERSION),
        "written_by": f"wdrop {__version__}",
        "description": json.dumps(description, allow_nan=False, sort_keys=True),
    }
    content = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, header)
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_tensors(path: Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the description in the file; files of another kind or a newer version are refused."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: expected a {kind} file, got none there")
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
    except SafetensorError as error:
        raise ValueError(f"{path}: expected a {kind} file, got one cut off or of another kind ({error})") from None
    if header.get("format") != f"wdrop {kind}":
        raise ValueError(f"{path}: expected a {kind} file, got {header.get('format', 'tensors of unknown origin')!r}")
    try:
        version, description = int(header["version"]), json.loads(header["description"])
    except (KeyError, ValueError) as error:
        raise ValueError(f"{path}: expected version and description in its header, got it damaged ({error})") from None
    if version > VERSION:
        raise ValueError(f"{path}: written by {header.get('written_by')}, newer than this wdrop {__version__}; upgrade")
    return tensors, description
