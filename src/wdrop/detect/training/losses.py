"""SqueezeDet's three losses, with the published coefficients."""

from typing import NamedTuple

import torch
from torch import Tensor

_TINY = 1e-16  # keeps the logarithm of a class probability finite, as published


class BatchCounts(NamedTuple):
    """Images and objects of a whole batch, also where several processes share it."""

    n_images: int
    n_objects: int


def confidence_loss(
    confidence: Tensor,
    iou: Tensor,
    image: Tensor,
    anchor: Tensor,
    batch: BatchCounts,
    *,
    as_published: bool = False,
) -> tuple[Tensor, Tensor]:
    """Squared errors of the confidence (b, a), at objects and in the background: two numbers without coefficients.

    iou            (n,), what it should be at the n anchors with an object; elsewhere 0
    image, anchor  (n,), where these are

    Both are means over the images. Within an image the errors at objects are divided by the number of objects in the
    whole batch, as published; those of the background by the anchors that an image leaves to it. (`as_published`
    subtracts there, too, the objects of the whole batch, which can exceed the anchors of a small image.)
    """
    n_images, n_anchors = confidence.shape
    at_objects = confidence[image, anchor]
    background = confidence.square().sum() - at_objects.square().sum()
    n_background = n_anchors - (batch.n_objects if as_published else batch.n_objects / batch.n_images)
    errors = (at_objects - iou).square().sum()
    return errors / max(batch.n_objects, 1) / n_images, background / max(n_background, 1) / n_images


def class_loss(logits: Tensor, classes: Tensor) -> Tensor:
    """Cross-entropy for each object (n,): each class's softmax probability as a yes or no, summed over classes."""
    probability = logits.softmax(-1)
    truth = torch.nn.functional.one_hot(classes, logits.shape[-1])
    agreed = torch.where(truth == 1, probability, 1 - probability)
    return -(agreed + _TINY).log().sum(-1)
