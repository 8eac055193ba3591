"""A model out of a user's file, into a file."""

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop._checks import known
from wdrop.data.shift import TrainingRows
from wdrop.estimators.tables import Column
from wdrop.files import DEFAULT_METHOD
from wdrop.files.output_file import check_outputs, writing
from wdrop.files.table_file import Dialect, read_table
from wdrop.files.text_columns import check_finite, column_of, target_numbers

if TYPE_CHECKING:
    from wdrop.estimators.regressor import Regressor

NO_CALIBRATION = "none"
_LEAST_ROWS = 10
_ROWS_FOR_STD = 2_000


@final
@dataclasses.dataclass(frozen=True, eq=False)
class FittedFile:
    """What came of fitting: where the model lies, how it was trained, and how it did on rows it had not seen.

    scores  for each target measures by name, of the calibrated prediction; empty where no row was held out
    """

    path: str
    target: tuple[str, ...]
    rows: int
    features: int
    method: str
    calibrate: str
    scores: dict[str, dict[str, float]]
    facts: dict[str, float]
    seconds: float


def fit_file(
    data: str,
    target: str | Sequence[str],
    out: str,
    *,
    method: str = DEFAULT_METHOD,
    calibrate: str = "cross",
    ignore: Sequence[str] = (),
    seed: int = 0,
    dialect: Dialect | None = None,
    force: bool = False,
    report: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> FittedFile:
    """Fit a `Regressor` to the table in a file and write its model; `settings` are the regressor's own.

    All columns are features but the target, which may be several, and those to ignore. What is wrong with the file is
    told before anything is trained, and nothing is written then. `report` is a file for a page about the model.
    """
    start = time.perf_counter()
    check_outputs([out, report], [data], force=force)
    targets = [target] if isinstance(target, str) else list(target)
    columns = checked_columns(data, read_table(data, dialect), targets, ignore)
    y = np.column_stack([column.values for column in columns[: len(targets)]])
    features = {str(column.name): column.values for column in columns[len(targets) :]}

    from wdrop.estimators.recipe import CALIBRATE  # torch takes seconds to load; a wrong file is told at once
    from wdrop.estimators.regressor import Regressor

    known("calibration", calibrate, (NO_CALIBRATION, *CALIBRATE))
    _check_device(settings.get("device", "auto"))
    chosen = None if calibrate == NO_CALIBRATION else calibrate
    regressor = Regressor(method, calibrate=chosen, random_state=seed, progress=progress, **settings)
    scores, n_features = _fitted(regressor, features, y, targets, report)
    with writing(out):
        regressor.save(out)
    summary = regressor.model_.summary
    return FittedFile(
        out, tuple(targets), len(y), n_features, method, calibrate, scores, dict(summary["facts"]),
        round(time.perf_counter() - start, 3),
    )  # fmt: skip


def _check_device(name: str) -> None:
    from torch import empty

    from wdrop.nets.training import device_for

    try:
        empty(0, device=device_for(name))
    except (RuntimeError, AssertionError) as error:  # torch has either for a device that is not there
        first = str(error).splitlines()[0]
        raise ValueError(f"cannot train on the device {name!r}: {first}; use auto, cpu or cuda") from None


def _fitted(
    regressor: "Regressor",
    features: dict[str, NDArray[Any]],
    y: NDArray[np.float64],
    targets: list[str],
    report: str | None,
) -> tuple[dict[str, dict[str, float]], int]:
    """Scores on unseen rows, and the number of features; the model now knows these, its targets and its rows."""
    import pandas as pd

    from wdrop.files.unseen import unseen_by

    frame = pd.DataFrame(features, copy=False)
    regressor.fit(frame, y[:, 0] if len(targets) == 1 else y)
    model = regressor.model_
    unseen = unseen_by(model.predictor)
    x = model.columns.encode(frame)
    if unseen is not None:
        scores, std, of = unseen.scores(targets), unseen.std, "unseen rows"
    else:
        some = frame.iloc[:: max(1, len(frame) // _ROWS_FOR_STD)]
        scores, std, of = {}, model.predict(some, double=False).std.double().numpy(), "training rows"
    told = {
        "unseen": scores,
        "typical_std": {"of": of, "median": [float(value) for value in np.median(std, axis=0)]},
        "training_rows": TrainingRows.of(x, model.columns.titles).to_json(),
    }
    regressor.model_ = dataclasses.replace(model, targets=tuple(targets), summary={**model.summary, **told})
    if report is not None:
        from wdrop.files.model_reports import report_fit  # figures take a second to load

        with writing(report):
            report_fit(report, regressor.model_, x, y, unseen)
    return scores, x.shape[1]


def checked_columns(data: str, table: Any, targets: list[str], ignore: Sequence[str]) -> list[Column]:
    """Targets, then features, each as training takes it."""
    if not targets:
        raise ValueError("expected a target, got none; name its column")
    for name in [*targets, *ignore]:
        known(f"column of {data}:", name, table.column_names)
    for name in targets:
        if targets.count(name) > 1:
            raise ValueError(f"expected each target once, got several {name!r}; name it once")
        if name in ignore:
            raise ValueError(f"column {name!r} is to be the target and to be ignored; expected one or the other")
    rest = [name for name in table.column_names if name not in targets and name not in ignore]
    if not rest:
        raise ValueError(f"{data}: expected at least one feature beside the target, got none")
    try:
        wanted = [Column(name, _target(table.column(name), name)) for name in targets]
        seen = int((~np.isnan(np.column_stack([column.values for column in wanted]))).any(1).sum())
        if seen < _LEAST_ROWS:
            raise ValueError(f"expected at least {_LEAST_ROWS} rows with a target, got {seen}")
        return [*wanted, *(_feature(table.column(name), name) for name in rest)]
    except ValueError as error:
        raise ValueError(f"{data}: {error}") from None


def _target(array: Any, name: str) -> NDArray[np.float64]:
    values = target_numbers(name, array)
    seen = values[~np.isnan(values)]
    if len(seen) == 0:
        raise ValueError(f"column {name!r} has no values; expected some, as it is the target")
    if len(seen) >= _LEAST_ROWS and (seen == seen[0]).all():
        raise ValueError(f"the target {name!r} is {seen[0]:g} in all rows; there is nothing to learn")
    return values


def _feature(array: Any, name: str) -> Column:
    column = column_of(name, array)
    if not column.is_numeric:
        return column
    if np.isnan(column.values).all():
        raise ValueError(f"column {name!r} has no values; leave it out: --ignore {name!r}")
    check_finite(name, column.values)
    return column
