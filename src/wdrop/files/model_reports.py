"""The pages of `wdrop fit` and `wdrop evaluate`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wdrop.data.shift import Shift
from wdrop.estimators.distinct import distinct_points
from wdrop.estimators.model import TableModel
from wdrop.files.forecaster import Forecaster
from wdrop.files.unseen import Unseen
from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.pages import write_evaluation_report, write_fit_report
from wdrop.report.model.verdict import as_prose

Array = NDArray[np.float64]

_MOST_ROWS = 100_000  # that are forecast for a page


def report_fit(path: str | Path, model: TableModel, x: Array, y: Array, unseen: Unseen | None) -> Path:
    """Write the page of a fitted model, judged at rows that the networks asked had not seen; its path comes back.

    x, y    (n, f) features and (n, d) targets of the file's rows, in their order
    unseen  what was said of rows by networks that had not seen them; None where no row was held out
    """
    calibrate = model.summary.get("calibrate")
    facts = _plain_facts(model.summary)
    if unseen is None:
        how = "No row was held out, so std cannot be judged: these are forecasts for the training rows themselves."
        forecasts = _of_training_rows(model, x)
        said = "Whether std can be believed is not known, as no row was held out: fit with calibrate=cross."
        return write_fit_report(path, forecasts, facts=facts, how=how, said=said)
    how = "Each row was judged by networks that had not seen it"
    how += "; the same rows set the calibration, which then looks a little better than it is." if calibrate else "."
    return write_fit_report(path, _unseen(model, x, y, unseen), facts=facts, how=how, calibrate=calibrate)


def report_evaluation(
    path: str | Path,
    mean: Array,
    std: Array,
    x: Array,
    y: Array,
    model: Forecaster,
    *,
    said: Sequence[str],
    shift: Shift | None,
) -> Path:
    """Write the page of a model on new rows; its path comes back.

    mean, std, y  (n, d), NaN in y where not observed
    x             (n, f), the features
    said          the verdict, sentence by sentence, the last about the shift
    shift         of the rows against training, where the model remembers that
    """
    typical = model.summary.get("typical_std")
    before = None if typical is None else [np.array([median]) for median in typical["median"]]
    return write_evaluation_report(
        path,
        forecasts_of(mean, std, x, model.columns.titles, model.targets, y),
        shift=shift,
        training_std=before,
        facts=_plain_facts(model.summary),
        said=as_prose(said),
        said_of_shift=as_prose(said[-1:]),
    )


def _plain_facts(summary: Mapping[str, Any]) -> dict[str, object]:
    """What a reader wants to know of the training."""
    names = ("method", "calibrate", "rows", "features", "epochs", "batch_size", "seconds", "wdrop", "torch")
    told = {name.replace("_", " "): summary[name] for name in names if summary.get(name) is not None}
    return told | {name.replace("_", " "): f"{value:.4g}" for name, value in summary.get("facts", {}).items()}


def forecasts_of(
    mean: Array, std: Array, x: Array, features: Sequence[str], targets: Sequence[str], y: Array | None = None
) -> list[Forecasts]:
    """One for each target of (n, d) arrays; rows are counted from 1."""
    return [
        Forecasts.of(mean[:, j], std[:, j], x, features, target=target, y=None if y is None else y[:, j])
        for j, target in enumerate(targets)
    ]


def _of_training_rows(model: TableModel, x: Array) -> list[Forecasts]:
    import torch

    prediction = model.predictor.predict(torch.from_numpy(x[:_MOST_ROWS]), generator=torch.Generator().manual_seed(0))
    told = (prediction.mean.double().numpy(), prediction.std.double().numpy())
    return forecasts_of(*told, x[:_MOST_ROWS], model.columns.titles, model.targets)


def _unseen(model: TableModel, x: Array, y: Array, unseen: Unseen) -> list[Forecasts]:
    """What was said of rows that were held out, with their features and their numbers in the file.

    Training takes rows as a set, in an order of its own; if it held only some out, nobody remembers which, and the
    page does without their features.
    """
    points = distinct_points(x, y, None)
    if len(points) != len(unseen.y):
        none = np.empty((len(unseen.y), 0))
        return forecasts_of(unseen.mean, unseen.std, none, [], model.targets, unseen.y)
    inputs = points.x.numpy()
    places = {_key(row): i for i, row in reversed(list(enumerate(np.hstack([x, y]), start=1)))}
    rows = np.array([places[_key(row)] for row in np.hstack([inputs, unseen.y])])
    made = forecasts_of(unseen.mean, unseen.std, inputs, model.columns.titles, model.targets, unseen.y)
    order = np.argsort(rows, kind="stable")
    return [Forecasts(o.mean, o.std, o.x, o.features, o.target, rows, o.y).take(order) for o in made]


def _key(row: Array) -> bytes:
    """The same for equal rows; gaps are equal to gaps."""
    return np.where(np.isnan(row), np.nan, row + 0.0).tobytes()
