"""From the plain parameters of an estimator to the method that is fitted, and back."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from wdrop._checks import known
from wdrop._config import build, resolved
from wdrop.calibration import CALIBRATIONS
from wdrop.estimators.budget import budget_for
from wdrop.methods import METHODS, Method, Scaled
from wdrop.methods.cross_fitted import CV_PLUS, CrossFitted
from wdrop.methods.precision import SinglePrecision
from wdrop.methods.split_calibrated import SplitCalibrated
from wdrop.nets.training import GuidedTraining, Training

CALIBRATE = ("cross", "split", *CALIBRATIONS, CV_PLUS)
"""Ways to calibrate, by name: "cross" is the one to take, see `calibrated`."""

_MOST_ROWS_OF_AN_ENSEMBLE = 50_000  # from here on it costs more time than it wins accuracy


def calibrated(method: Method, calibrate: str, n_rows: int) -> Method:
    """The method calibrated in that way, for a table of so many rows.

    "cross" is what won where every way was tried (`wdrop study run calibration`): the networks of the inner folds
    predict together, and their residuals at rows that they had not seen set one factor on std, by which 68 % of
    them lie within one std. On large tables one network trained on all rows predicts instead.

    "split" sets one factor on std by rows held out, "conformal" sets intervals by them, since only then its guarantee
    is one. Other names are maps of CALIBRATIONS from rows that inner networks had not seen, and waste none.
    """
    known("calibration", calibrate, CALIBRATE)
    if calibrate in ("split", "conformal"):
        return SplitCalibrated(method=method, calibration="scale" if calibrate == "split" else calibrate)
    if calibrate != "cross":
        return CrossFitted(method=method, calibration=calibrate)
    mean: Literal["refit", "ensemble"] = "ensemble" if n_rows <= _MOST_ROWS_OF_AN_ENSEMBLE else "refit"
    return CrossFitted(method=method, calibration="quantile_scale", mean=mean)


def base_method(method: str | Method) -> Method:
    """The method of that name with its defaults, or the method itself."""
    if isinstance(method, Method):
        return method
    if not isinstance(method, str):
        raise TypeError(f"expected method as a name or a Method, got {type(method).__name__}")
    known("method", method, METHODS)
    return METHODS[method]()


def in_units_of_y(method: Method, calibrate: str | None, n_rows: int) -> Method:
    """The method on standardised points in single precision, calibrated if asked for, in the user's units."""
    scaled = Scaled(method=SinglePrecision(method=method))
    return scaled if calibrate is None else calibrated(scaled, calibrate, n_rows)


def with_net(method: Method, **changes: Any) -> Method:
    """The method with a network changed where a value is given; None leaves it."""
    given = {name: value for name, value in changes.items() if value is not None}
    if not given:
        return method
    return _replaced(method, "net", dataclasses.replace(_part(method, "net", given), **given))


def with_training(
    method: Method,
    n_rows: int,
    *,
    is_named: bool,
    epochs: int | str | None,
    batch_size: int | None,
    n_steps: int | None,
    learning_rate: float | None,
    device: str,
    guide: Mapping[str, Any],
) -> Method:
    """The method with its training set; a `Method` that the user built keeps its own where nothing is given."""
    changes: dict[str, Any] = {}
    if is_named or any(value is not None for value in (epochs, batch_size, n_steps)):
        budget = budget_for(n_rows, epochs=epochs, batch_size=batch_size, n_steps=n_steps)
        changes.update(epochs=budget.epochs, batch_size=budget.batch_size)
    if learning_rate is not None:
        changes["learning_rate"] = learning_rate
    if device != "auto":
        changes["device"] = device
    if not changes and not guide:
        return method
    training = dataclasses.replace(_part(method, "training", {**changes, **guide}), **changes)
    if guide:
        own = {field.name: getattr(training, field.name) for field in dataclasses.fields(Training)}
        training = GuidedTraining(**own, **guide)
    return _replaced(method, "training", training)


def _part(method: Method, name: str, wanted: Mapping[str, Any]) -> Any:
    part = getattr(method, name, None)
    if part is None:
        raise ValueError(f"{type(method).__name__} has no {name} to set {', '.join(wanted)} of; set it in the method")
    return part


def _replaced(method: Method, name: str, part: object) -> Method:
    return dataclasses.replace(method, **{name: part})  # type: ignore[type-var]


def described(method: str | Method) -> Any:
    """The method as plain values, for a file; one that is not in METHODS only by its looks."""
    if isinstance(method, str):
        return method
    names = [name for name, kind in METHODS.items() if kind is type(method)]
    if not names or isinstance(getattr(method, "training", None), GuidedTraining):
        return repr(method)
    return {"name": names[0], "options": resolved(method)}


def method_from(description: Any) -> str | Method:
    """What was described; looks alone stay a name that nobody knows, with which nothing can be fitted."""
    if isinstance(description, str):
        return description
    known("method", description["name"], METHODS)
    return build(METHODS[description["name"]], description["options"], "method")
