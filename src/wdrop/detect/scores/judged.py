"""All that is told of a detector on a set of pictures: scores, and how sure they are."""

from collections.abc import Callable
from typing import Any

from wdrop._random import generator_for
from wdrop.detect.data.source import Samples
from wdrop.detect.finding.inference import Inference
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.bootstrap import intervals
from wdrop.detect.scores.corruptions import CLEAN
from wdrop.detect.scores.evaluated import evaluated
from wdrop.detect.scores.evaluation import scores


def judged(
    net: SqueezeDet,
    samples: Samples,
    inference: Inference,
    *,
    name: str = CLEAN,
    n_repeats: int = 0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """The scores by name, and under `intervals` low and high end of each if it is drawn anew so many times.

    `name` is that of the bootstrap's stream.
    """
    matches = evaluated(net, samples, inference, seed=seed, progress=progress)
    told: dict[str, Any] = dict(scores(matches, as_published=inference.as_published))
    if n_repeats:
        found = intervals(matches, n_repeats=n_repeats, generator=generator_for("bootstrap", name))
        told["intervals"] = {measure: list(ends) for measure, ends in found.items()}
    return told
