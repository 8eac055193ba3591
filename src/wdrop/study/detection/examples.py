"""Pictures that a report may show, and what a detector finds in them."""

from collections.abc import Iterator, Mapping

import numpy as np
from torch import Tensor

from wdrop.detect.data.sample import Sample
from wdrop.detect.data.source import Samples
from wdrop.detect.finding.detections import Detections
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import to_corners
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluated import detections_in
from wdrop.detect.scores.evaluation import match
from wdrop.prediction import Prediction
from wdrop.study.detection.records import Arrays

SHOWN = ("carla", "rendered")
"""Data sets whose licences let a report show their pictures."""
_N_SHOWN = 2


def examples(net: SqueezeDet, samples: Samples, ways: Mapping[str, Inference], *, seed: int) -> Arrays:
    """Pictures with large objects, these, and the boxes matched to them by each way: the boxes that scores are about.

    Which pictures depends on the true boxes alone, so that all detectors of a data set are seen on the same.
    """
    arrays: Arrays = {}
    for number, index in enumerate(telling(samples)):
        for way, inference in ways.items():
            found, sample = detections_in(net, samples, index, inference, seed=seed)
            arrays |= _kept(f"example/{number}/{way}", _matched(found, sample))
            truth = {"picture": sample.image, "truth": sample.boxes.numpy(), "truth_classes": sample.classes.numpy()}
            arrays |= {f"example/{number}/{name}": value for name, value in truth.items()}
    return arrays


def telling(samples: Samples) -> Iterator[int]:
    """Numbers of the pictures with the largest objects, one from each stretch of the set.

    Neighbours are often frames of one video, and show the same.
    """
    extents = [_extent(samples[index].boxes) for index in range(len(samples))]
    for stretch in np.array_split(np.arange(len(samples)), _N_SHOWN):
        if len(stretch):
            yield int(max(stretch, key=lambda index: extents[index]))


def _extent(corners: Tensor) -> float:
    return float((corners[:, 2:] - corners[:, :2]).prod(dim=1).sqrt().sum())


def _matched(found: Detections, sample: Sample) -> Detections:
    rows, _ = match(to_corners(found.boxes.mean.cpu()), sample.boxes)
    boxes = Prediction(found.boxes.mean.cpu()[rows], found.boxes.std.cpu()[rows])
    return Detections(boxes, found.classes.cpu()[rows], found.scores.cpu()[rows])


def _kept(name: str, found: Detections) -> Arrays:
    values = {"mean": found.boxes.mean, "std": found.boxes.std, "classes": found.classes, "scores": found.scores}
    return {f"{name}/{what}": value.numpy() for what, value in values.items()}
