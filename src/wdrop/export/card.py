"""The card beside a graph: what goes in, what comes out and what it means."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wdrop._checks import known
from wdrop._version import __version__
from wdrop.data.fingerprint import fingerprint
from wdrop.export.graphs import OPSET
from wdrop.export.meaning import meaning_of_std
from wdrop.export.subject import Subject, as_it_takes_them
from wdrop.export.tables import MISSING, NUMBERS, WORDS, numbers_in, words_in
from wdrop.measures import evaluate
from wdrop.prediction import Points

FORMAT = "wdrop card"
FORMAT_VERSION = 1

Data = Points | tuple[Any, Any]
"""Inputs and targets: points, or two arrays; of a table model, a table and targets."""


class Names(NamedTuple):
    """Of the columns of numbers, those of words, and targets; units by name."""

    numbers: list[str]
    words: list[str]
    targets: list[str]
    units: Mapping[str, str]
    shape: list[int]
    """Of one row of `x`."""


def named(
    subject: Subject,
    row_shape: Sequence[int],
    n_targets: int,
    columns: Sequence[str] | None,
    targets: Sequence[str] | None,
    units: Mapping[str, str],
) -> Names:
    """All names, with plain ones where nobody gave any; refuses too many, too few, and units of nothing."""
    words: list[str] = []
    shape = list(row_shape)
    if subject.columns is not None:
        own = [feature.name for feature in numbers_in(subject.columns)]
        words = _given([feature.name for feature in words_in(subject.columns)], None, "word")
        numbers, shape = _given(own, columns, "x"), [len(own)]
    else:
        numbers = _given([None] * (shape[0] if len(shape) == 1 else 0), columns, "x")
    told = _given(list(subject.targets or [None] * n_targets), targets, "y")
    for name in units:
        known("column or target with a unit", name, (*numbers, *words, *told))
    return Names(numbers, words, told, units, shape)


def _given(own: Sequence[str | None], given: Sequence[str] | None, letter: str) -> list[str]:
    if given is not None and len(given) != len(own):
        raise ValueError(f"expected {len(own)} names, got {len(given)}: {', '.join(given)}")
    plain = [letter] if letter == "y" and len(own) == 1 else [f"{letter}{i}" for i in range(len(own))]
    if given is not None:
        return list(given)
    return [spare if name is None else name for name, spare in zip(own, plain, strict=True)]


def described(subject: Subject, names: Names, kind: str) -> dict[str, Any]:
    """What the graph takes, gives and means."""
    inputs = []
    if names.numbers or not names.words:
        columns = _with_units(names.numbers, names.units)
        missing = None if subject.columns is None else "NaN"
        shape = ["n", *names.shape]
        inputs.append({"name": NUMBERS, "type": kind, "shape": shape, "columns": columns, "missing": missing})
    if names.words:
        columns = _with_units(names.words, names.units)
        levels = [[level for level in f.levels if level is not None] for f in words_in(subject.columns)]  # type: ignore[arg-type]
        for column, own in zip(columns, levels, strict=True):
            column["levels"] = own
        shape = ["n", len(names.words)]
        inputs.append({"name": WORDS, "type": "string", "shape": shape, "columns": columns, "missing": MISSING})
    targets = _with_units(names.targets, names.units)
    output = {"type": kind, "shape": ["n", len(names.targets)], "targets": targets}
    return {
        "format": FORMAT, "version": FORMAT_VERSION, "wdrop": __version__, "opset": OPSET, "method": subject.name,
        "inputs": inputs,
        "outputs": [
            {"name": "mean", **output},
            {"name": "std", **output, "meaning": meaning_of_std(subject.predictor)},
        ],
        "deterministic": True,
    }  # fmt: skip


def _with_units(names: Sequence[str], units: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "unit": units.get(name)} for name in names]


def training(subject: Subject, train: Data | None) -> dict[str, Any]:
    """How it was trained, as far as it is known, and the hash of its data."""
    story = {"facts": dict(subject.predictor.facts), **subject.summary}
    if train is not None:
        x, y = _features_and_targets(subject, train)
        story.update(data_sha256=fingerprint(x, y), rows=len(x))
    return {"data_sha256": None, **story}


def measured(subject: Subject, test: Data) -> dict[str, Any]:
    """All measures at points it has not seen, by PyTorch's side of the check."""
    x, y = _features_and_targets(subject, test)
    features = torch.from_numpy(x) if subject.columns else as_it_takes_them(subject.predictor, torch.from_numpy(x))
    told = subject.predict(features)
    mean, std = told.mean.double().cpu().numpy(), told.std.double().cpu().numpy()
    return {"rows": len(x), **{name: float(value) for name, value in evaluate(mean, std, y).items()}}


def _features_and_targets(subject: Subject, data: Data) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, y = (data.x, data.y) if isinstance(data, Points) else data
    if subject.columns is not None and not isinstance(data, Points):
        x = subject.columns.encode(x)
    features, targets = _numbers(x), _numbers(y)
    return features, targets.reshape(len(targets), -1)


def _numbers(values: Any) -> NDArray[np.float64]:
    if isinstance(values, Tensor):
        values = values.detach().cpu().numpy()
    return np.asarray(values, dtype=np.float64)
