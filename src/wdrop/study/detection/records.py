"""Matched boxes as arrays that are kept, and as the rows of a record."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from wdrop._random import generator_for
from wdrop.detect.scores.bootstrap import intervals
from wdrop.detect.scores.evaluation import ALL, COORDINATES, UNCERTAINTY, Matched, scores, std_factors
from wdrop.prediction import Prediction

_COUNTS = ("n_pictures", "n_objects", "n_detections", "n_matched", "found", "recall", "miou")
Arrays = dict[str, NDArray[Any]]


class Judgement(NamedTuple):
    """On which pictures a detector was judged, and by which protocol."""

    tested_on: str
    part: str
    corruption: str
    protocol: str

    @property
    def name(self) -> str:
        return "/".join(self)


def arrays_of(judgement: Judgement, matches: Matched) -> Arrays:
    """The matched boxes, so that a new measure needs no new training."""
    values = {
        "mean": matches.boxes.mean.float(),
        "std": matches.boxes.std.float(),
        "truth": matches.truth.float(),
        "iou": matches.iou.float(),
        "same_class": matches.same_class,
        "picture": matches.picture,
        "n_objects": matches.n_objects,
        "n_detections": matches.n_detections,
    }
    return {f"{judgement.name}/{name}": value.numpy() for name, value in values.items()}


def matches_from(judgement: Judgement, arrays: Mapping[str, NDArray[Any]]) -> Matched:
    """The matched boxes out of these arrays."""

    def read(name: str) -> torch.Tensor:
        value = torch.from_numpy(np.asarray(arrays[f"{judgement.name}/{name}"]))
        return value.double() if value.is_floating_point() else value

    return Matched(
        Prediction(read("mean"), read("std")),
        *(read(name) for name in ("truth", "iou", "same_class", "picture", "n_objects", "n_detections")),
    )


def rows_of(judgement: Judgement, matches: Matched, *, n_repeats: int) -> list[dict[str, Any]]:
    """A row for all coordinates together and for each: scores, the same after one factor a coordinate, intervals.

    Intervals stand in the row of all coordinates.
    """
    found, rounded = scores(matches), scores(matches, as_published=True)
    factors = std_factors(matches)
    scaled = scores(matches.rescaled(factors))
    whole = {"fold": 0, **judgement._asdict(), **{name: found[name] for name in _COUNTS}}
    rows = []
    for number, coordinate in enumerate((ALL, *COORDINATES), -1):
        suffix = "" if coordinate == ALL else f"_{coordinate}"
        row = {**whole, "coordinate": coordinate, **_extent(matches, number), "ece_rounded": rounded[f"ece{suffix}"]}
        row |= {name: found[f"{name}{suffix}"] for name in UNCERTAINTY}
        row |= {f"{name}_scaled": scaled[f"{name}{suffix}"] for name in UNCERTAINTY}
        rows.append(row)
    rows[0] |= {f"factor_{name}": float(factor) for name, factor in zip(COORDINATES, factors, strict=True)}
    rows[0] |= _intervals(judgement, matches, n_repeats)
    return rows


def _extent(matches: Matched, coordinate: int) -> dict[str, float]:
    """Error and std in pixels, of one coordinate or, at -1, of all."""
    of = slice(None) if coordinate < 0 else slice(coordinate, coordinate + 1)
    error, std = matches.boxes.mean[:, of] - matches.truth[:, of], matches.boxes.std[:, of]
    return {"rmse": float(error.square().mean().sqrt()), "std": float(std.mean())}


def _intervals(judgement: Judgement, matches: Matched, n_repeats: int) -> dict[str, float]:
    if not matches.n_pictures or not len(matches):
        return {}
    found = intervals(matches, n_repeats=n_repeats, generator=generator_for("bootstrap", *judgement))
    wanted = {name: found[name] for name in ("recall", "miou", "rmse", *UNCERTAINTY)}
    return {
        f"{name}_{end}": value
        for name, both in wanted.items()
        for end, value in zip(("low", "high"), both, strict=True)
    }
