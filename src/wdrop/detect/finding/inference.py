"""From an image to boxes with a std for each coordinate, by draws or in one pass."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np
import torch
from torch import Generator, Tensor

from wdrop._checks import at_least, known
from wdrop.detect.finding.clusters import CLUSTERINGS
from wdrop.detect.finding.detections import Detections
from wdrop.detect.geometry.boxes import Size, clip, scale, to_centres, to_corners
from wdrop.detect.geometry.deltas import decode, decoded_std
from wdrop.detect.geometry.nms import survivors
from wdrop.detect.network.head import RawBoxes
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.prediction import Prediction

WAYS = ("samples", "closed_form")
_DRAWS_AT_ONCE = 10  # bounds the memory: a draw of a 672 x 384 image holds 3 MB


@final
@dataclass(frozen=True, kw_only=True)
class Inference:
    """How boxes and their std are found.

    how            "samples": draws of the last dropout, their boxes clustered; mean and std of each cluster
                   "closed_form": one pass, the exact std of each box's deltas carried over to pixels, see
                   `decoded_std`; no clusters
    top_n          the anchors of highest score that are looked at, in each draw
    max_iou        of two boxes of a class that overlap more than this, the lesser goes
    clustering     "kmeans" (published) or "hdbscan"
    smallest       clusters with fewer boxes are dropped
    as_published   the published non-maximum suppression, see `survivors`; and boxes are judged with their last pixel
                   counted in, as they are learnt by a detector whose `DetectionLoss` is as published

    The two ways match different boxes and mean different stds (a cluster also mixes neighbouring anchors): never put
    both into one column.
    """

    how: str = "samples"
    n_draws: int = 50
    top_n: int = 64
    max_iou: float = 0.4
    clustering: str = "kmeans"
    smallest: int = 5
    as_published: bool = False

    def __post_init__(self) -> None:
        known("way", self.how, WAYS)
        known("clustering", self.clustering, CLUSTERINGS)
        at_least(1, top_n=self.top_n)
        at_least(2, n_draws=self.n_draws, smallest=self.smallest)
        if self.n_draws < self.smallest and self.how == "samples":  # an object has one box a draw, seldom two
            raise ValueError(
                f"expected at least {self.smallest} draws, as clusters with fewer boxes are dropped, got "
                f"{self.n_draws}; take more draws"
            )

    def following(self, facts: Mapping[str, Any]) -> "Inference":
        """The same, as published if the detector of which these facts are known learnt so."""
        return replace(self, as_published=bool(facts.get("as_published")))


@torch.no_grad()
def detect(net: SqueezeDet, image: Tensor, size: Size, inference: Inference, *, generator: Generator) -> Detections:
    """What is in an image.

    image  (3, h, w), RGB, 0 to 255, resized to the network's input
    size   what it measured before; boxes and stds come back in those pixels
    """
    features = net.features(image[None])
    if inference.how == "closed_form":
        return one_pass(net, features, size, inference)
    return clustered(net, features, size, inference, generator=generator)


@torch.no_grad()
def one_pass(net: SqueezeDet, features: Tensor, size: Size, inference: Inference) -> Detections:
    """The boxes of the mean network that survive, each with the std of its own anchor, see `decoded_std`."""
    top = _top(net.head(features), net, inference)
    patches = net.head.patches(features.permute(0, 2, 3, 1), top.draw, top.anchor)
    std = decoded_std(top.deltas, net.head.delta_std(patches, top.anchor), net.anchors[top.anchor])
    to_image = net.architecture.size, size
    boxes = Prediction(scale(to_centres(top.corners), *to_image), scale(std, *to_image))
    return Detections(boxes, top.classes, top.scores)


@torch.no_grad()
def clustered(
    net: SqueezeDet, features: Tensor, size: Size, inference: Inference, *, generator: Generator
) -> Detections:
    """The clusters of boxes of many draws: mean and std of each, its most frequent class and its mean score."""
    boxes, classes, scores = drawn_boxes(net, features, size, inference, generator=generator)
    if len(boxes) == 0:
        return _no_detections(boxes)
    labels = CLUSTERINGS[inference.clustering](boxes.cpu().double().numpy(), inference.n_draws)
    groups = [labels == label for label in range(labels.max(initial=-1) + 1)]
    groups = [torch.from_numpy(group).to(boxes.device) for group in groups if np.sum(group) >= inference.smallest]
    if not groups:
        return _no_detections(boxes)
    mean = torch.stack([boxes[group].mean(0) for group in groups])
    std = torch.stack([boxes[group].std(0) for group in groups])
    return Detections(
        Prediction(mean, std),
        torch.stack([classes[group].mode().values for group in groups]),
        torch.stack([scores[group].mean() for group in groups]),
    )


@torch.no_grad()
def drawn_boxes(
    net: SqueezeDet, features: Tensor, size: Size, inference: Inference, *, generator: Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """The boxes (m, 4) in centre form that survive in each draw, all draws together, with classes and scores (m,)."""
    parts = []
    for first in range(0, inference.n_draws, _DRAWS_AT_ONCE):
        n_draws = min(_DRAWS_AT_ONCE, inference.n_draws - first)
        draws = net.head.dropped(features, net.head.keep(features.expand(n_draws, -1, -1, -1), generator))
        top = _top(net.head(draws), net, inference)
        boxes = scale(to_centres(top.corners), net.architecture.size, size)
        parts.append((boxes, top.classes, top.scores))
    boxes, classes, scores = (torch.cat(part) for part in zip(*parts, strict=True))
    return boxes, classes, scores


class _Top(NamedTuple):
    """The anchors that speak for an object, of all draws in one row (m,), and what they say."""

    draw: Tensor
    anchor: Tensor
    deltas: Tensor
    corners: Tensor
    classes: Tensor
    scores: Tensor


def _top(raw: RawBoxes, net: SqueezeDet, inference: Inference) -> _Top:
    """Of each draw the anchors of highest score, and of these the survivors."""
    best, labels = raw.scores.best()
    scores, anchor = best.topk(min(inference.top_n, best.shape[1]), dim=1)
    draw = torch.arange(len(best), device=best.device)[:, None].expand_as(anchor)
    deltas, classes = raw.deltas[draw, anchor], labels[draw, anchor]
    corners = clip(to_corners(decode(deltas, net.anchors[anchor])), net.architecture.size)
    stays = survivors(corners, classes, max_iou=inference.max_iou, as_published=inference.as_published)
    return _Top(*(part[stays] for part in (draw, anchor, deltas, corners, classes, scores)))


def _no_detections(boxes: Tensor) -> Detections:
    none = boxes.new_empty(0, 4)
    return Detections(Prediction(none, none), none.new_empty(0, dtype=torch.int64), none.new_empty(0))
