"""What a detector finds in a picture file of one's own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.reading.judging import SLIVER
from wdrop.detect.data.reading.pictures import open_picture
from wdrop.detect.data.sample import Sample
from wdrop.detect.finding.detections import Detections
from wdrop.detect.finding.inference import Inference, detect
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.training.augmentation import as_tensor, resized
from wdrop.prediction import Prediction


def detect_in_file(
    net: SqueezeDet,
    path: Path,
    inference: Inference,
    *,
    crop: bool = False,
    min_score: float = 0.0,
    seed: int = 0,
) -> tuple[Detections, Sample]:
    """The detections of at least that score, best first, and the picture; boxes are in its pixels.

    Boxes of which clipping at the border left less in width or height than an object must have are none.

    `crop` looks only at the middle, of the shape of the network's input: as KITTI's pictures were cropped in training.
    """
    check_score(min_score)
    whole = _without_objects(path)
    left, seen = _middle(whole, net) if crop else (0, whole)
    image = as_tensor(resized(seen, net.architecture.size)).to(net.anchors.device)
    generator = generator_for(seed, "detect", whole.name, device=net.anchors.device)
    found = detect(net, image, seen.size, inference, generator=generator)
    mean = found.boxes.mean + found.boxes.mean.new_tensor([left, 0, 0, 0])
    moved = replace(found, boxes=Prediction(mean, found.boxes.std))
    order = moved.scores.argsort(descending=True)
    stays = (moved.scores >= min_score) & (mean[:, 2:] >= SLIVER).all(1)
    return _some(moved, order[stays[order]]), whole


def check_score(min_score: float) -> None:
    """Refuse a score that no box has, or that all have not."""
    if not 0 <= min_score <= 1:  # NaN neither
        raise ValueError(f"expected a lowest score from 0 to 1, got {min_score}; 0 leaves none out")


def _without_objects(path: Path) -> Sample:
    return Sample(path.name, open_picture(path), torch.empty(0, 4), torch.empty(0, dtype=torch.int64))


def _middle(sample: Sample, net: SqueezeDet) -> tuple[int, Sample]:
    size = net.architecture.size
    (left, top, right, bottom), _, _ = Crop(size.width / size.height)(sample.size, np.empty((0, 4), np.float32))
    return left, replace(sample, image=np.ascontiguousarray(sample.image[top:bottom, left:right]))


def _some(found: Detections, rows: Tensor) -> Detections:
    boxes = Prediction(found.boxes.mean[rows], found.boxes.std[rows])
    return Detections(boxes, found.classes[rows], found.scores[rows])
