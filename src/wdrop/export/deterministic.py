"""Predictors that draw, turned into such that do not: a graph draws nothing."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._random import generator_for, seed_from
from wdrop.methods.calibrated import CalibratedPredictor, PooledPredictor
from wdrop.methods.precision import PrecisionPredictor
from wdrop.methods.pu_mc import SampledMixturePredictor
from wdrop.methods.sampled import SampledPredictor
from wdrop.methods.scaled import ScaledPredictor
from wdrop.methods.swag import SWAGPredictor
from wdrop.moments.closed_form import closed_form_prediction
from wdrop.nets.concrete import ConcreteDropout
from wdrop.prediction import Prediction, Predictor

CLOSED_FORM = "closed_form"
Drawing = SampledPredictor | SampledMixturePredictor | SWAGPredictor


@final
@dataclass(frozen=True, eq=False)
class OnePass(Predictor):
    """A dropout network asked in closed form, with what its method adds to the variance."""

    net: nn.Module
    added_variance: float

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        told = closed_form_prediction(self.net, x)
        return Prediction(told.mean, (told.std.square() + self.added_variance).sqrt())


@final
@dataclass(frozen=True, eq=False)
class FixedDraws(Predictor):
    """A predictor that draws, made to draw the same each time: its networks are then `n_samples` fixed ones."""

    predictor: Drawing
    stream: Generator

    @property
    def facts(self) -> Mapping[str, float]:
        return self.predictor.facts

    def predict(self, x: Tensor, *, generator: Generator | None = None, keep_samples: bool = False) -> Prediction:
        return self.predictor.predict(x, generator=copy_of(self.stream), keep_samples=keep_samples)


def copy_of(stream: Generator) -> Generator:
    """A generator that goes on as this one would."""
    copy = Generator(stream.device)
    copy.set_state(stream.get_state())
    return copy


def without_draws(predictor: Predictor, how: str | None, draws: int | None, stream: Generator) -> Predictor:
    """The predictor with every part that draws replaced: by closed form, or by fixed draws out of the stream.

    With as many draws as it would make itself, it says what it would say with this stream.
    """
    if isinstance(predictor, ScaledPredictor | PrecisionPredictor | CalibratedPredictor):
        inner = without_draws(predictor.predictor, how, draws, stream)
        return dataclasses.replace(predictor, predictor=inner)
    if isinstance(predictor, PooledPredictor):
        seed = seed_from(copy_of(stream))
        streams = [generator_for(seed, "member", m) for m in range(len(predictor.members))]
        pairs = zip(predictor.members, streams, strict=True)
        members = [without_draws(member, how, draws, own) for member, own in pairs]
        return dataclasses.replace(predictor, members=members)
    if not isinstance(predictor, Drawing):
        return predictor
    if draws is not None:
        return FixedDraws(dataclasses.replace(predictor, n_samples=draws), copy_of(stream))
    if how == CLOSED_FORM and has_closed_form(predictor):
        assert isinstance(predictor, SampledPredictor)
        return OnePass(predictor.net, predictor.added_variance)
    raise ValueError(refusal(predictor, how))


def has_learned_rates(net: nn.Module) -> bool:
    return any(isinstance(module, ConcreteDropout) for module in net.modules())


def has_closed_form(predictor: Drawing) -> bool:
    """Whether its std is that of Bernoulli dropout and nothing else; a learned, soft mask has none we know of."""
    return isinstance(predictor, SampledPredictor) and not has_learned_rates(predictor.net)


def refusal(predictor: Drawing, how: str | None) -> str:
    """Why it is not exported as it is, and what to do."""
    fixed = "`draws=200` writes that many fixed draws into the graph"
    if how == CLOSED_FORM:
        return f"{_title(predictor)} has no closed form, and a graph draws nothing; {fixed}"
    closed = ', or how="closed_form" computes mean and std in one pass' if has_closed_form(predictor) else ""
    return f"{_title(predictor)} predicts by drawing networks, and a graph draws nothing; {fixed}{closed}"


def drawing_parts(predictor: object) -> list[Drawing]:
    """All within a predictor that draws."""
    if isinstance(predictor, Drawing):
        return [predictor]
    if isinstance(predictor, Sequence) and not isinstance(predictor, str | torch.Tensor):
        return [part for entry in predictor for part in drawing_parts(entry)]
    fields = getattr(predictor, "__dataclass_fields__", {}) if isinstance(predictor, Predictor) else {}
    return [part for name in fields for part in drawing_parts(getattr(predictor, name))]


def _title(predictor: Drawing) -> str:
    if isinstance(predictor, SampledPredictor):
        return "concrete_dropout" if has_learned_rates(predictor.net) else "a dropout network"
    return "pu_mc" if isinstance(predictor, SampledMixturePredictor) else "swag"
