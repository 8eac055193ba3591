"""A model file as what predicting from files needs: without torch where that can be, as it takes seconds to load."""

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from numpy.typing import NDArray

from wdrop.estimators.columns import Columns
from wdrop.files.light_model import FileForecast, light_model

if TYPE_CHECKING:
    from wdrop.prediction import Predictor


@final
@dataclass(frozen=True, eq=False)
class Forecaster:
    """A model that is asked for pieces of a table.

    forecast   columns by name, numbers or words, and levels of quantiles → a forecast
    n_threads  how many may ask at once
    """

    columns: Columns
    targets: tuple[str, ...]
    summary: Mapping[str, Any]
    forecast: Callable[[Mapping[str, NDArray[Any]], Sequence[float]], FileForecast]
    n_threads: int = 1


def open_forecaster(path: str, *, closed_form: bool = False) -> Forecaster:
    """The model in the file; `closed_form` asks networks that draw for the moments of all their draws, in one pass.

    Without torch it computes in single precision, as the networks were trained; with torch as `Regressor.predict` does.
    """
    if Path(path).is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected a model file, as `wdrop fit` writes it")
    if not Path(path).exists():
        raise FileNotFoundError(f"no model file {path}; a path is taken from the folder where the command is run")
    light = light_model(path, closed_form=closed_form)
    if light is not None:
        return Forecaster(light.columns, light.targets, light.summary, light.forecast, _threads())
    return _heavy(path, closed_form)


def _threads() -> int:
    return min(4, os.cpu_count() or 1)


def _heavy(path: str, closed_form: bool) -> Forecaster:
    from wdrop.estimators.model_file import load_model

    model = load_model(path)
    if closed_form:
        model = dataclasses.replace(model, predictor=in_closed_form(model.predictor))

    def forecast(table: Mapping[str, NDArray[Any]], levels: Sequence[float]) -> FileForecast:
        prediction, quantiles = model.forecast(table, levels)
        return FileForecast(*(t.double().numpy() for t in (prediction.mean, prediction.std, quantiles)))

    return Forecaster(model.columns, model.targets, model.summary, forecast)


def in_closed_form(predictor: "Predictor") -> "Predictor":
    """The predictor with every network that draws asked in closed form instead."""
    from wdrop.methods.sampled import SampledPredictor
    from wdrop.methods.w_dropout_closed import ClosedFormPredictor
    from wdrop.prediction import Predictor

    def changed(value: Any) -> Any:
        if isinstance(value, SampledPredictor):
            if value.added_variance:
                raise ValueError("this method adds noise of its own to its draws; predict without --closed-form")
            return ClosedFormPredictor(value.net)  # type: ignore[arg-type]
        if isinstance(value, Predictor) and dataclasses.is_dataclass(value):
            fields = {field.name: changed(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return dataclasses.replace(value, **fields)
        if isinstance(value, list | tuple):
            return [changed(entry) for entry in value]
        return value

    return changed(predictor)
