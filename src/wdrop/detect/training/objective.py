"""What a training step minimises: MC-SqueezeDet, W-SqueezeDet, and W-SqueezeDet in closed form.

The backbone runs once. Scores are learnt under one mask. Boxes are learnt where an object is, and differ:

    mc           the squared error of the deltas under that same mask
    wasserstein  the paper's loss over that mask and n_draws - 1 more, drawn on the 3x3 patches of these anchors alone
    closed_form  `closed_form_loss` of their exact mean and std; no mask at all
"""

from dataclasses import dataclass
from typing import NamedTuple, final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least, known
from wdrop.detect.geometry.boxes import clip, iou, to_corners
from wdrop.detect.geometry.deltas import decode, encode
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.training.assign import Targets
from wdrop.detect.training.losses import BatchCounts, class_loss, confidence_loss
from wdrop.losses.closed_form import closed_form_loss
from wdrop.losses.wasserstein import wasserstein_dropout_loss
from wdrop.nets.masks import keep_mask

LOSSES = ("mc", "wasserstein", "closed_form")


@final
@dataclass(frozen=True, kw_only=True)
class DetectionLoss:
    """Which box loss, and what each part counts; the defaults are the published coefficients.

    `as_published` counts background, encodes large boxes and takes the extents of all as the published code does, see
    `confidence_loss`, `encode` and `to_centres`.
    """

    kind: str = "wasserstein"
    n_draws: int = 5
    box: float = 5.0
    objects: float = 75.0
    background: float = 100.0
    classes: float = 1.0
    as_published: bool = False

    def __post_init__(self) -> None:
        known("loss", self.kind, LOSSES)
        at_least(2, n_draws=self.n_draws)


class LossTerms(NamedTuple):
    """The parts of the loss, each with its coefficient."""

    box: Tensor
    confidence: Tensor
    classes: Tensor

    @property
    def total(self) -> Tensor:
        return self.box + self.confidence + self.classes


@final
class TrainingLoss(nn.Module):
    """A network and its loss as one module: what a training step calls, and what several processes share.

    With `bfloat16` the backbone computes in that type; the last layer and the losses never do.
    """

    def __init__(self, net: SqueezeDet, loss: DetectionLoss, *, bfloat16: bool = False) -> None:
        super().__init__()
        self.net = net
        self.loss = loss
        self.in_bfloat16 = bfloat16

    def forward(
        self, images: Tensor, targets: Targets, generator: Generator, batch: BatchCounts | None = None
    ) -> LossTerms:
        """The loss of images (b, 3, h, w) with their targets, and the stream of the masks.

        `batch` is for several processes that share a batch: the mean of their losses is that of the whole.
        """
        net, loss = self.net, self.loss
        batch = batch or BatchCounts(len(images), len(targets))
        n = max(batch.n_objects, 1) * len(images) / batch.n_images  # of this process, were they spread evenly
        with torch.autocast(images.device.type, torch.bfloat16, enabled=self.in_bfloat16):
            features = net.features(images).float()
        keep = net.head.keep(features, generator)
        scores = net.head.scores(net.head.dropped(features, keep))
        anchors = net.anchors[targets.anchor]
        truth = encode(targets.boxes, anchors, as_published=loss.as_published)
        box, deltas = self._boxes(features, keep, targets, truth, generator)
        found = clip(to_corners(decode(deltas.detach(), anchors)), net.architecture.size)
        overlap = iou(found, to_corners(targets.boxes))
        places = targets.image, targets.anchor
        objects, background = confidence_loss(
            scores.confidence.sigmoid(), overlap, *places, batch, as_published=loss.as_published
        )
        return LossTerms(
            loss.box * box.sum() / n,
            loss.objects * objects + loss.background * background,
            loss.classes * class_loss(scores.classes[places], targets.classes).sum() / n,
        )

    def _boxes(
        self, features: Tensor, keep: Tensor, targets: Targets, truth: Tensor, generator: Generator
    ) -> tuple[Tensor, Tensor]:
        """The box loss of each object and coordinate (n, 4), and the deltas (n, 4) whose IoU the confidence learns."""
        head, places = self.net.head, (targets.image, targets.anchor)
        patches = head.patches(features.permute(0, 2, 3, 1), *places)
        if self.loss.kind == "closed_form":
            mean, std = head.delta_moments(patches, targets.anchor)
            return closed_form_loss(mean, std, truth), mean
        masks = head.patches(keep, *places)[None]
        if self.loss.kind == "wasserstein":
            # objects with overlapping patches see masks of their own here: the expected loss of each is the same
            more = keep_mask((self.loss.n_draws - 1, *patches.shape), head.p, generator, patches.dtype)
            masks = torch.cat([masks, more])
        samples = head.drawn_deltas(patches, masks, targets.anchor)
        box = wasserstein_dropout_loss(samples, truth) if len(samples) > 1 else (samples[0] - truth).square()
        return box, samples[0]
