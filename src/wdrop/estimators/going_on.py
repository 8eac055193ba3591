"""Warm starts: training that goes on where it was."""

import dataclasses

from torch import Generator

from wdrop.methods import Method
from wdrop.methods.packed_nets import networks_in
from wdrop.methods.precision import SinglePrecision
from wdrop.methods.scaled import ScaledPredictor
from wdrop.nets.training import GuidedTraining, Progress, Training
from wdrop.prediction import Points, Predictor


def go_on(before: Predictor, method: Method, points: Points, *, generator: Generator, progress: Progress) -> Predictor:
    """The predictor that comes of training the networks of another further, on its scales; Adam starts afresh."""
    training = getattr(method, "training", None)
    networks = networks_in(before)
    if not isinstance(before, ScaledPredictor) or not networks or not isinstance(training, Training):
        raise ValueError(
            f"expected an uncalibrated model of networks to go on from, got {type(before).__name__}; "
            "fit without warm_start, or with calibrate=None and a method that has networks"
        )
    own = {field.name: getattr(training, field.name) for field in dataclasses.fields(training)}
    guided = GuidedTraining(**{**own, "start": tuple(networks)})
    further = SinglePrecision(method=dataclasses.replace(method, training=guided))  # type: ignore[type-var]
    scaled = before.scaler.points(points)
    return ScaledPredictor(before.scaler, further.fit(scaled, generator=generator, progress=progress))
