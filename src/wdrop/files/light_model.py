"""A model file in numpy alone: the common case, networks of dropout and relu in closed form.

Loading torch costs more than predicting a hundred thousand rows. The formulas are those of `moments.closed_form` and
`calibration.scale`, and tests hold both to the same numbers; any other model is left to torch.
"""

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from wdrop.estimators.columns import Columns
from wdrop.files.light_network import Layer, moments

Array = NDArray[np.float64]
_FORMAT = ("wdrop model", 1)
_TYPES = {"F32": ("<f4", "torch.float32"), "F64": ("<f8", "torch.float64"), "I64": ("<i8", "torch.int64")}


class FileForecast(NamedTuple):
    """Mean and std (n, d), and quantiles at the levels asked for (q, n, d)."""

    mean: Array
    std: Array
    quantiles: Array


class Member(NamedTuple):
    """One network and its scales: what is taken from x and divides it, what multiplies y and is added."""

    layers: Sequence[Layer]
    x_mean: Array
    x_std: Array
    y_mean: Array
    y_std: Array

    def told(self, x: Array) -> tuple[Array, Array]:
        """Mean and std in the units of y."""
        mean, std = moments(self.layers, ((x - self.x_mean) / self.x_std).astype(np.float32))
        return mean.astype(np.float64) * self.y_std + self.y_mean, std.astype(np.float64) * self.y_std


@final
@dataclass(frozen=True, eq=False)
class LightModel:
    """Columns and networks of a model; `scale` and `noise` are its calibration, 1 and 0 where it has none.

    Several networks answer together: the mean of what they say, and the root mean square of their std, to which their
    spread is added where `disagreement` says so.
    """

    columns: Columns
    targets: tuple[str, ...]
    summary: Mapping[str, Any]
    members: Sequence[Member]
    disagreement: bool
    scale: Array
    noise: Array

    def forecast(self, table: Mapping[str, NDArray[Any]], levels: Sequence[float]) -> FileForecast:
        """The prediction in the units of y, and Gaussian quantiles."""
        x = self.columns.encode(table)
        means, stds = (np.stack(part) for part in zip(*(member.told(x) for member in self.members), strict=True))
        mean, std = means.mean(0), np.sqrt(np.square(stds).mean(0))
        if self.disagreement:
            std = np.hypot(std, means.std(0, ddof=1))
        std = np.hypot(std * self.scale, self.noise)
        return FileForecast(mean, std, np.stack([mean + NormalDist().inv_cdf(level) * std for level in levels]))


def light_model(path: str, *, closed_form: bool = False) -> LightModel | None:
    """The model in the file; None where it is not of the common kind, or where anything is wrong with it."""
    try:
        return _light(Path(path).read_bytes(), closed_form)
    except (LookupError, ValueError, TypeError, OSError, struct.error):
        return None  # whoever reads it next says what is wrong


def _light(raw: bytes, closed_form: bool) -> LightModel | None:
    (length,) = struct.unpack("<Q", raw[:8])
    described = json.loads(raw[8 : 8 + length])
    header = json.loads(described.pop("__metadata__")["wdrop"])
    if (header["format"], header["version"]) != _FORMAT:
        return None
    digest = hashlib.sha256(header["model"].encode())
    tensors = {name: _tensor(name, described[name], raw, 8 + length, digest) for name in sorted(described)}
    if digest.hexdigest() != header["checksum"]:
        return None
    content = json.loads(header["model"])
    tree = content["predictor"]
    scale, noise = np.ones(1), np.zeros(1)
    if tree["kind"] == "CalibratedPredictor":
        calibration = tree["fields"]["calibration"]
        if calibration["kind"] not in ("Scale", "RobustScale", "QuantileScale", "AddedNoise", "RobustAddedNoise"):
            return None
        parts = {name: tensors[entry["tensor"]] for name, entry in calibration["fields"].items()}
        if not set(parts) <= {"scale", "noise"}:
            return None
        scale, noise = parts["scale"], parts.get("noise", noise)
        tree = tree["fields"]["predictor"]
    trees, disagreement = [tree], False
    if tree["kind"] == "PooledPredictor":
        trees, disagreement = tree["fields"]["members"], tree["fields"]["disagreement"]
    members = [_member(one, tensors, closed_form) for one in trees]
    columns, targets = Columns.from_json(content["columns"]), tuple(content["targets"])
    return LightModel(columns, targets, content["summary"], members, disagreement, scale, noise)


def _member(tree: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], closed_form: bool) -> Member:
    """A network behind one or several scalings, which are made one."""
    x_mean, x_std, y_mean, y_std = np.zeros(1), np.ones(1), np.zeros(1), np.ones(1)
    while tree["kind"] == "ScaledPredictor":
        scaler = _fields(tree["fields"]["scaler"], "Scaler")
        inner = {name: tensors[scaler[name]["tensor"]] for name in ("x_mean", "x_std", "y_mean", "y_std")}
        x_mean, x_std = x_mean + x_std * inner["x_mean"], x_std * inner["x_std"]
        y_mean, y_std = y_mean + y_std * inner["y_mean"], y_std * inner["y_std"]
        tree = tree["fields"]["predictor"]
    layers = _layers(_fields(tree, "PrecisionPredictor")["predictor"], tensors, closed_form)
    if layers is None:
        raise LookupError("closed form")
    return Member(layers, x_mean, x_std, y_mean, y_std)


def _tensor(name: str, told: Mapping[str, Any], raw: bytes, start: int, digest: Any) -> NDArray[Any]:
    """The tensor of that name; the checksum hears of it as the model file's does."""
    kind, shown = _TYPES[told["dtype"]]
    shape, (begin, end) = tuple(told["shape"]), told["data_offsets"]
    data = raw[start + begin : start + end]
    digest.update(f"{name} {shown} {shape}".encode())
    digest.update(data)
    return np.frombuffer(data, kind).reshape(shape)


def _fields(tree: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    if tree["kind"] != kind:
        raise LookupError(kind)
    fields: Mapping[str, Any] = tree["fields"]
    return fields


def _layers(tree: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], closed_form: bool) -> list[Layer] | None:
    """The network, if it is linear layers with relu and fixed dropout between, to be asked in closed form."""
    kinds = ["ClosedFormPredictor", "LastLayerPredictor", *(["SampledPredictor"] if closed_form else [])]
    if tree["kind"] not in kinds or tree["fields"].get("added_variance"):
        return None
    layers: list[Layer] = []
    for module in _fields(tree["fields"]["net"], "Sequential")["layers"]:
        fields = module["fields"]
        if module["kind"] == "Linear":
            weight, bias = (tensors[fields[name]["tensor"]].astype(np.float32) for name in ("weight", "bias"))
            layers.append(Layer(np.ascontiguousarray(weight.T), bias))
        elif module["kind"] == "ReLU" and layers and not layers[-1].is_rectified:
            layers[-1] = layers[-1]._replace(is_rectified=True)
        elif module["kind"] == "Dropout" and layers and layers[-1].is_rectified and layers[-1].p == 0:
            layers[-1] = layers[-1]._replace(p=fields["p"])
        else:
            return None
    plain = all(layer.is_rectified for layer in layers[:-1]) and not layers[-1].is_rectified
    return layers if plain else None
