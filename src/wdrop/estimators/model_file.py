"""A model as one file: safetensors, with JSON in its header. Nothing in it can execute."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from wdrop._files import write_whole
from wdrop._version import __version__
from wdrop.estimators.columns import Columns
from wdrop.estimators.model import TableModel
from wdrop.methods.packing import Packed, pack, unpack

FORMAT = "wdrop model"
FORMAT_VERSION = 1
_ENTRY = "wdrop"  # of the header
_LONGEST_HEADER = 100_000_000  # bytes, safetensors' own limit
_PICKLES = (b"\x80", b"PK\x03\x04", b"(lp", b"(dp")  # pickle's protocols, torch.save's zip, pickle's protocol 0


class ModelFileError(ValueError):
    """A file that is no model of ours, or is one no longer."""


def save_model(model: TableModel, path: str | os.PathLike[str]) -> None:
    """Write the model; whole or not at all, over whatever file was there."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected the name of a file, such as {path / 'model.wdrop'}")
    tree, tensors = pack(model.predictor)
    content = {
        "columns": model.columns.to_json(), "targets": list(model.targets), "is_flat": model.is_flat,
        "seed": model.seed, "summary": dict(model.summary), "estimator": dict(model.estimator), "predictor": tree,
        "written_by": f"wdrop {__version__}",
    }  # fmt: skip
    text = json.dumps(content, allow_nan=False, sort_keys=True)
    header = {"format": FORMAT, "version": FORMAT_VERSION, "checksum": _checksum(text, tensors), "model": text}
    # One entry, as safetensors writes several in no fixed order: a model is then always the same file.
    write_whole(path, save(dict(tensors), {_ENTRY: json.dumps(header)}))


def load_model(path: str | os.PathLike[str]) -> TableModel:
    """The model in the file; needs neither scikit-learn nor anything else that only training uses.

    Refuses pickles, files that were cut off or changed, and those of a newer format, saying which it is.
    """
    raw = Path(path).read_bytes()
    header = _header(raw, path)
    try:
        tensors = load(raw)
    except (SafetensorError, ValueError) as error:
        raise ModelFileError(f"{path} is damaged or cut off ({error}); expected a whole model file") from None
    if header.get("checksum") != _checksum(header.get("model", ""), tensors):
        raise ModelFileError(f"{path} was changed after it was written: its checksum does not fit; fetch it again")
    content = json.loads(header["model"])
    return TableModel(
        Columns.from_json(content["columns"]), unpack(Packed(content["predictor"], tensors)),
        tuple(content["targets"]), content["is_flat"], content["seed"], content["summary"], content["estimator"],
    )  # fmt: skip


def _header(raw: bytes, path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """The file's own description, if the file is ours and not newer than we are."""
    length = int.from_bytes(raw[:8], "little")
    if len(raw) < 9 or length > _LONGEST_HEADER or raw[8:9] != b"{":
        # Only now: the length of a header may begin with the same byte as a pickle.
        if raw.startswith(_PICKLES):
            raise ModelFileError(f"{path} is a pickle, which could run anything when opened; expected a file of `save`")
        raise ModelFileError(f"{path} is no model file, or was cut off; expected one written by `save`")
    if len(raw) < 8 + length:
        raise ModelFileError(f"{path} is cut off: expected a header of {length} bytes, got {len(raw) - 8}")
    try:
        header: Any = json.loads(json.loads(raw[8 : 8 + length])["__metadata__"][_ENTRY])
        version = int(header["version"]) if header["format"] == FORMAT else 0
    except (ValueError, KeyError, TypeError):
        raise ModelFileError(f"{path} is no model of ours; expected a file written by `save`") from None
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"{path} has format version {version}, this wdrop {__version__} reads up to {FORMAT_VERSION}; upgrade wdrop"
        )
    if version < 1:
        raise ModelFileError(f"{path} is no model of ours; expected a file written by `save`")
    return header


def _checksum(text: str, tensors: Mapping[str, Tensor]) -> str:
    """Of all that the file says: the description, and each tensor with its name, type and shape."""
    digest = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()
