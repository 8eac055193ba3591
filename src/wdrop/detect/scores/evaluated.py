"""A detector over a set of pictures: what it finds, and what that is worth."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from wdrop._random import generator_for
from wdrop.detect.data.sample import Sample
from wdrop.detect.data.source import Samples
from wdrop.detect.finding.detections import Detections
from wdrop.detect.finding.inference import Inference, detect
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluation import Matched, matched
from wdrop.detect.training.augmentation import as_tensor, resized

_FOREIGN = -1  # a class that the pictures' set has no number for


def detections_of(
    net: SqueezeDet, samples: Samples, inference: Inference, *, seed: int = 0
) -> Iterator[tuple[Detections, Sample]]:
    """What is found in each picture, beside the picture itself."""
    return (detections_in(net, samples, index, inference, seed=seed) for index in range(len(samples)))


def detections_in(
    net: SqueezeDet, samples: Samples, index: int, inference: Inference, *, seed: int = 0
) -> tuple[Detections, Sample]:
    """What is found in one picture, beside the picture as it is stored: in its pixels, and in its set's classes.

    The draws depend on seed and the picture's name alone, not on its place in the set.
    """
    sample = samples[index]
    device = net.anchors.device
    image = as_tensor(resized(sample, net.architecture.size)).to(device)
    generator = generator_for(seed, "detect", sample.name, device=device)
    found = detect(net, image, sample.size, inference, generator=generator)
    numbers = torch.tensor([_number(name, samples.class_names) for name in net.architecture.classes])
    return replace(found, classes=numbers[found.classes.cpu()]), sample


def evaluated(
    net: SqueezeDet,
    samples: Samples,
    inference: Inference,
    *,
    seed: int = 0,
    min_iou: float = 0.1,
    progress: Callable[[int, int], None] | None = None,
) -> Matched:
    """The boxes found in these pictures beside the objects they were matched to; `scores` reads them.

    `progress` is told after each picture how many are done, of how many.
    """

    def told() -> Iterator[tuple[Detections, Sample]]:
        for done, pair in enumerate(detections_of(net, samples, inference, seed=seed), 1):
            yield pair
            if progress is not None:
                progress(done, len(samples))

    return matched(told(), min_iou=min_iou, inclusive=inference.as_published)


def _number(name: str, names: tuple[str, ...]) -> int:
    return names.index(name) if name in names else _FOREIGN
