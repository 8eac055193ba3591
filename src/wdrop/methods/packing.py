"""Predictors as tensors and plain JSON, and back: what a model file holds, and nothing that could execute."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from wdrop._checks import known
from wdrop.calibration import CALIBRATIONS, CVPlus
from wdrop.data.scaling import Scaler
from wdrop.methods.calibrated import CalibratedPredictor, CVPlusPredictor, PooledPredictor
from wdrop.methods.deep_ensemble import EnsemblePredictor
from wdrop.methods.packed_nets import MODULES
from wdrop.methods.precision import PrecisionPredictor
from wdrop.methods.pu import ParametricPredictor
from wdrop.methods.pu_ensemble import MixturePredictor
from wdrop.methods.pu_evidential import EvidentialPredictor
from wdrop.methods.pu_mc import SampledMixturePredictor
from wdrop.methods.sampled import SampledPredictor
from wdrop.methods.scaled import ScaledPredictor
from wdrop.methods.swag import GaussianWeights, SWAGPredictor
from wdrop.methods.w_dropout_closed import ClosedFormPredictor
from wdrop.methods.w_dropout_last_layer import LastLayerPredictor
from wdrop.prediction import Predictor

_KINDS = (
    CVPlus, CVPlusPredictor, CalibratedPredictor, ClosedFormPredictor, EnsemblePredictor, EvidentialPredictor,
    GaussianWeights, LastLayerPredictor, MixturePredictor, ParametricPredictor, PooledPredictor, PrecisionPredictor,
    SWAGPredictor, SampledMixturePredictor, SampledPredictor, ScaledPredictor, Scaler,
)  # fmt: skip

KINDS: dict[str, type] = {kind.__name__: kind for kind in (*_KINDS, *CALIBRATIONS.values())}
"""Dataclasses that may stand in a file, by name. A predictor of one's own joins by `KINDS["Mine"] = Mine`."""


class Packed(NamedTuple):
    """A tree of dictionaries, lists and plain values, and the tensors that it names by their place."""

    tree: Any
    tensors: Mapping[str, Tensor]


def pack(value: object) -> Packed:
    """A predictor, or any part of one, as JSON and tensors on the CPU; `unpack` gives it back, equal to the bit."""
    tensors: dict[str, Tensor] = {}
    return Packed(_packed(value, "", tensors), tensors)


def unpack(packed: Packed) -> Any:
    """What was packed."""
    return _unpacked(packed.tree, packed.tensors)


def cast(predictor: Predictor, dtype: torch.dtype) -> Predictor:
    """A copy of a predictor that computes in another precision; whole numbers stay whole."""
    tree, tensors = pack(predictor)
    converted = {name: t.to(dtype) if t.is_floating_point() else t for name, t in tensors.items()}
    return unpack(Packed(tree, converted))


def _packed(value: object, place: str, tensors: dict[str, Tensor]) -> Any:
    if isinstance(value, Tensor):
        name = place or "value"
        tensors[name] = value.detach().cpu().clone(memory_format=torch.contiguous_format)  # files share no memory
        return {"tensor": name}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Sequence):
        return [_packed(entry, _join(place, i), tensors) for i, entry in enumerate(value)]
    kind = type(value).__name__
    fields: Mapping[str, object]
    if KINDS.get(kind) is type(value):
        saved = [entry.name for entry in dataclasses.fields(value) if entry.metadata.get("saved", True)]  # type: ignore[arg-type]
        fields = {name: getattr(value, name) for name in saved}
    elif kind in MODULES and MODULES[kind].kind is type(value):
        fields = MODULES[kind].parts(value)
    else:
        raise TypeError(f"{kind} cannot be saved; known: {', '.join((*KINDS, *MODULES))}; a dataclass joins by KINDS")
    return {"kind": kind, "fields": {name: _packed(v, _join(place, name), tensors) for name, v in fields.items()}}


def _unpacked(tree: Any, tensors: Mapping[str, Tensor]) -> Any:
    if isinstance(tree, list):
        return [_unpacked(entry, tensors) for entry in tree]
    if not isinstance(tree, dict):
        return tree
    if "tensor" in tree:
        return tensors[tree["tensor"]]
    if "float" in tree:
        return float(tree["float"])
    known("kind of part", tree["kind"], (*KINDS, *MODULES))
    fields = {name: _unpacked(entry, tensors) for name, entry in tree["fields"].items()}
    if tree["kind"] in MODULES:
        return MODULES[tree["kind"]].build(**fields)
    return KINDS[tree["kind"]](**fields)


def _join(place: str, name: str | int) -> str:
    return f"{place}.{name}" if place else str(name)
