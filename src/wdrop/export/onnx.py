"""`export_onnx`: one deterministic graph out of a fitted model, tried before it is kept, with a card beside it."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from torch import Generator, Tensor

from wdrop._checks import known
from wdrop._version import __version__
from wdrop.export.agreement import STD_FLOOR, TOLERANCE, floor_of, refuse_coarse_mean
from wdrop.export.card import Data, described, measured, named, training
from wdrop.export.files import write_with_card
from wdrop.export.graphs import Graph
from wdrop.export.meaning import meaning_of_std
from wdrop.export.networks import HeadPredictor, is_plain
from wdrop.export.predictors import n_features_of, told
from wdrop.export.subject import Subject, subject_of
from wdrop.export.tables import NUMBERS, encoded
from wdrop.export.traced import traced_model
from wdrop.export.trial import Rows, trial_rows, tried


def export_onnx(
    model: object,
    path: str | os.PathLike[str],
    *,
    how: Literal["closed_form"] | None = None,
    draws: int | None = None,
    generator: Generator | None = None,
    input_type: Literal["float32", "float64"] = "float32",
    example: Tensor | None = None,
    train: Data | None = None,
    test: Data | None = None,
    columns: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    units: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Write a model as one ONNX graph and a card beside it (`NAME.card.json`); the card comes back.

    The graph takes rows `x` (n, f) in the user's units, any n, and gives `mean` and `std` (n, d): scaling and
    calibration are inside, nothing is drawn, the same row gives the same answer. A table with words takes these as
    `words` (n, w); a missing number is NaN, a missing word is empty. Before anything is written, onnxruntime runs the
    graph beside PyTorch; where they differ by more than 1e-4, relative, it is an error and no file is touched.

    Args:
        model: a predictor, a fitted `Regressor` or what `load_model` gives, or a network: a chain of layers with
            dropout, asked in closed form; or any `nn.Module` that returns mean and std, which needs `example`.
        path: where to write, such as "price.onnx".
        how: "closed_form" for methods that draw sub-networks: one pass instead. Calibration stays as it was fitted.
        draws: for methods that draw: so many fixed draws are written into the graph, and the card says so.
        generator: names the draws; None: those of the table model itself, else always the same.
        input_type: "float64" keeps all digits of large numbers, such as times in seconds. Networks compute in float32.
        example: rows to try the graph on; of a network that is no chain, also the shape of its inputs.
        train: what it was trained on; its hash goes on the card.
        test: points it has not seen; the card tells the measures there.
        columns: names, where the model does not know them.
        targets: likewise.
        units: of columns and targets, by name.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected the name of a file, such as {path / 'model.onnx'}")
    known("input type", input_type, ("float32", "float64"))
    subject = subject_of(model, how, draws, generator)
    rows = trial_rows(subject, input_type, example)
    reference = subject.predict(rows.features)
    n_targets = reference.mean.shape[1]
    names = named(subject, rows.features.shape[1:], n_targets, columns, targets, units or {})
    refuse_coarse_mean(reference, input_type, floor_of(reference), names.targets)
    content = _graph(subject, n_targets, input_type, rows)
    found = tried(content, reference, rows)
    if not found.judged <= TOLERANCE:
        raise ValueError(
            f"expected the graph to agree with PyTorch to {TOLERANCE:g}, got a relative deviation of "
            f"{found.judged:.2g} on {len(rows.features)} rows, so nothing was written; large numbers need "
            'input_type="float64", '
            "and where that is not it, single precision is too coarse for this network"
        )
    card = {
        **described(subject, names, input_type), "draws": draws, "training": training(subject, train),
        "measures": None if test is None else measured(subject, test),
        "check": {
            "rows": len(rows.features), "largest_relative_deviation": found.judged, "tolerance": TOLERANCE,
            "std_floor_in_medians": STD_FLOOR, "largest_relative_deviation_of_std": found.std,
            "largest_deviation_of_mean_in_std": found.mean_in_std,
        },
    }  # fmt: skip
    return write_with_card(path, content, card)


def _graph(subject: Subject, n_targets: int, kind: str, rows: Rows) -> bytes:
    predictor = subject.predictor
    facts = {"wdrop": __version__, "method": subject.name, "std": meaning_of_std(predictor)}
    if isinstance(predictor, HeadPredictor) and not is_plain(predictor.net):
        return traced_model(predictor, rows.features, kind, facts)
    graph = Graph()
    if subject.columns is None:
        x = graph.input(NUMBERS, kind, ["n", n_features_of(predictor)])
    else:
        x = encoded(graph, subject.columns, kind)
    mean, std = told(predictor, x, n_targets)
    return graph.model({"mean": mean.to(kind), "std": std.to(kind)}, ["n", n_targets], facts)
