"""What is exported: any model, as a predictor that draws nothing and what is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least, known
from wdrop._random import generator_for
from wdrop.export.deterministic import CLOSED_FORM, copy_of, drawing_parts, without_draws
from wdrop.export.meaning import method_of
from wdrop.export.networks import HeadPredictor, as_predictor
from wdrop.export.predictors import n_features_of
from wdrop.export.tables import Columns, is_table
from wdrop.methods.calibrated import CalibratedPredictor, PooledPredictor
from wdrop.methods.scaled import ScaledPredictor
from wdrop.prediction import Prediction, Predictor


@final
@dataclass(frozen=True, eq=False)
class Subject:
    """A deterministic predictor, the columns that its features come from if it is a table's, and its story."""

    predictor: Predictor
    name: str
    columns: Columns | None = None
    targets: tuple[str, ...] | None = None
    summary: Mapping[str, Any] = field(default_factory=dict)

    def predict(self, x: Tensor) -> Prediction:
        """What PyTorch says. Nothing is drawn from the stream, but pooled predictors name their members by it."""
        return self.predictor.predict(x, generator=generator_for("nothing is drawn"))


def subject_of(model: object, how: str | None, draws: int | None, generator: Generator | None) -> Subject:
    """A predictor, a network, or a fitted table model, ready to be written down."""
    if how is not None:
        known("way to export", how, (CLOSED_FORM,))
    if draws is not None:
        at_least(2, draws=draws)
        if how is not None:
            raise ValueError(f"expected how={how!r} or draws={draws}, got both; leave one out")
    model = getattr(model, "model_", model)  # what a fitted estimator knows
    if is_table(model):
        # the stream of its own predictions: with as many draws as it makes, the graph says what it says
        stream = generator or generator_for("predict", model.seed)
        predictor = _of_predictor(model.predictor, how, draws, stream)
        name = str(model.summary.get("method", "table model"))
        return Subject(predictor, name, model.columns, model.targets, model.summary)
    stream = generator or generator_for("export")
    if isinstance(model, Predictor):
        return Subject(_of_predictor(model, how, draws, stream), method_of(model))
    if isinstance(model, nn.Module):
        predictor = as_predictor(model, draws, copy_of(stream))
        if isinstance(predictor, HeadPredictor):
            _refuse_draws(draws, type(model).__name__)
        return Subject(predictor, type(model).__name__)
    hint = "; call fit first" if hasattr(model, "fit") else ""
    raise TypeError(f"expected a predictor, a network or a fitted Regressor, got {type(model).__name__}{hint}")


def _of_predictor(predictor: Predictor, how: str | None, draws: int | None, stream: Generator) -> Predictor:
    if not drawing_parts(predictor):
        _refuse_draws(draws, method_of(predictor))
    return without_draws(predictor, how, draws, stream)


def _refuse_draws(draws: int | None, name: str) -> None:
    if draws is not None:
        raise ValueError(f"expected no draws for {name}, which draws nothing, got {draws}; leave them out")


def typical_inputs(predictor: Predictor) -> tuple[Tensor, Tensor]:
    """Mean and std of each feature, as far as the predictor knows them by its scaling, in double precision."""
    if isinstance(predictor, ScaledPredictor):
        mean, std = typical_inputs(predictor.predictor)
        x_mean, x_std = predictor.scaler.x_mean.double(), predictor.scaler.x_std.double()
        return x_mean + x_std * mean, x_std * std
    if isinstance(predictor, PooledPredictor):
        return typical_inputs(predictor.members[0])
    if isinstance(predictor, CalibratedPredictor):
        return typical_inputs(predictor.predictor)
    n = n_features_of(predictor)
    return torch.zeros(n, dtype=torch.float64), torch.ones(n, dtype=torch.float64)


def as_it_takes_them(predictor: Predictor, x: Tensor) -> Tensor:
    """Inputs in the precision, and on the device, of the predictor's first tensor."""
    like = _first_tensor(predictor)
    return x if like is None else x.to(like.device, like.dtype)


def _first_tensor(part: object) -> Tensor | None:
    if isinstance(part, nn.Module):
        return next(part.parameters(), None)
    if isinstance(part, Tensor):
        return part
    entries: list[object] = []
    if isinstance(part, list | tuple):
        entries = list(part)
    elif hasattr(part, "__dataclass_fields__"):
        entries = [getattr(part, name) for name in part.__dataclass_fields__]
    return next((found for found in map(_first_tensor, entries) if found is not None), None)
