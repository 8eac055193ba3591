"""A graph is tried against PyTorch before it is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wdrop._checks import all_finite
from wdrop.export.agreement import Agreement, agreement, floor_of
from wdrop.export.networks import HeadPredictor, is_plain
from wdrop.export.subject import Subject, as_it_takes_them, typical_inputs
from wdrop.export.tables import MISSING, NUMBERS, WORDS, Columns, as_table, numbers_in, words_in
from wdrop.prediction import Prediction

N_ROWS = 64
_MOST_LOST = 0.001  # of a column's std, to the rounding of inputs
_REACH = 2.0  # in std of the training inputs: some rows lie where no training point was


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """The same rows as the graph takes them, and as the predictor does."""

    inputs: dict[str, NDArray[Any]]
    features: Tensor


def trial_rows(subject: Subject, kind: str, example: Tensor | None) -> Rows:
    """Rows like those of training, as far as their scale is known; or the user's own."""
    stream = np.random.default_rng(0)
    if subject.columns is not None:
        if example is not None:
            raise ValueError("expected no example of a table model, got one; its columns say what rows look like")
        return _table_rows(subject, subject.columns, kind, stream)
    predictor = subject.predictor
    if example is None and isinstance(predictor, HeadPredictor) and not is_plain(predictor.net):
        raise ValueError(
            f"{subject.name} is no chain of layers, so a row may have any shape; give some rows as `example`"
        )
    if example is None:
        mean, std = (part.cpu().numpy() for part in typical_inputs(subject.predictor))
        numbers = mean + _REACH * std * stream.standard_normal((N_ROWS, len(mean)))
        _refuse_coarse(numbers, std, kind, [f"x{i}" for i in range(len(mean))])
    else:
        numbers = example.detach().cpu().numpy()
    rounded = numbers.astype(kind)
    return Rows({NUMBERS: rounded}, as_it_takes_them(subject.predictor, torch.from_numpy(rounded)))


def tried(model: bytes, reference: Prediction, rows: Rows) -> Agreement:
    """How far the graph is from PyTorch on these rows, and on the first alone."""
    all_finite(**{"mean, by PyTorch": reference.mean, "std, by PyTorch": reference.std})
    floor = floor_of(reference)
    one = run(model, {name: values[:1] for name, values in rows.inputs.items()})
    first = Prediction(reference.mean[:1], reference.std[:1])
    return agreement(run(model, rows.inputs), reference, floor).with_other(agreement(one, first, floor))


def run(model: bytes, inputs: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """What onnxruntime says: mean and std."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    mean, std = session.run(["mean", "std"], inputs)
    return mean, std


def _table_rows(subject: Subject, columns: Columns, kind: str, stream: np.random.Generator) -> Rows:
    _, std = typical_inputs(subject.predictor)
    places = _places_of_numbers(columns)
    centre = np.array([feature.fill for feature in numbers_in(columns)])
    reach = std.cpu().numpy()[places]
    numbers = centre + _REACH * reach * stream.standard_normal((N_ROWS, len(places)))
    _refuse_coarse(numbers, reach, kind, [f.name or f"x{i}" for i, f in enumerate(numbers_in(columns))])
    numbers[stream.uniform(size=numbers.shape) < 0.1] = np.nan
    numbers = numbers.astype(kind)
    words = np.empty((N_ROWS, len(words_in(columns))), dtype=object)
    for j, feature in enumerate(words_in(columns)):
        choices = [MISSING if level is None else level for level in feature.levels] + [MISSING, "never seen before"]
        words[:, j] = [choices[i] for i in stream.integers(len(choices), size=N_ROWS)]
    features = columns.encode(as_table(columns, numbers, words))
    given = {NUMBERS: numbers, WORDS: words}
    return Rows({name: part for name, part in given.items() if part.shape[1]}, torch.from_numpy(features))


def _refuse_coarse(numbers: NDArray[Any], std: NDArray[Any], kind: str, names: Sequence[str]) -> None:
    """Refuse an input type in which a column's rows can hardly be told apart."""
    lost = np.abs(numbers - numbers.astype(kind)).max(0, initial=0.0) / std
    for name, share in zip(names, lost, strict=True):
        if share > _MOST_LOST:
            raise ValueError(
                f"{kind} is too coarse for column {name!r}: rounding takes {share:.2g} of its std; "
                'use input_type="float64", or shift its origin'
            )


def _places_of_numbers(columns: Columns) -> list[int]:
    """Which features are the numbers themselves."""
    places, at = [], 0
    for feature in columns.features:
        if hasattr(feature, "levels"):
            at += len(feature.levels)
        else:
            places.append(at)
            at += 1 + bool(feature.tells_gaps)
    return places
