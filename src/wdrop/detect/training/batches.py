"""Training batches as a function of the step: which pictures, moved how, is decided by seed and step alone.

So a training that goes on after a break sees what it would have seen, and the number of workers changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import torch
from torch import Generator, Tensor
from torch.utils.data import DataLoader, Dataset

from wdrop._random import generator_for
from wdrop.detect.data.source import Samples
from wdrop.detect.geometry.anchors import anchor_grid
from wdrop.detect.geometry.boxes import scale, to_centres
from wdrop.detect.network.squeezedet import Architecture
from wdrop.detect.training.assign import Targets, assigned_anchors
from wdrop.detect.training.augmentation import Augmentation, as_tensor, resized

_Place = tuple[int, int]  # epoch, number of the picture
_Failure = ValueError  # what reading pictures raises, with the file in its message


class Batch(NamedTuple):
    """Images (b, 3, h, w), uint8, and their objects."""

    images: Tensor
    targets: Targets


class _Item(NamedTuple):
    image: Tensor
    boxes: Tensor
    classes: Tensor
    anchor: Tensor


@final
@dataclass(frozen=True)
class Order:
    """Which pictures each step sees: all once an epoch, newly shuffled, the incomplete last batch dropped.

    A set smaller than a batch is taken whole. Of each batch, process `rank` of `n_processes` has every n-th picture;
    all have as many, as the loss takes for granted.
    """

    n_pictures: int
    batch_size: int
    seed: int
    rank: int = 0
    n_processes: int = 1

    def __post_init__(self) -> None:
        n = min(self.batch_size, self.n_pictures)
        if n % self.n_processes:
            raise ValueError(
                f"expected batches that {self.n_processes} processes can share evenly, got {n} pictures a step "
                f"(batch_size {self.batch_size}, {self.n_pictures} pictures in all); take a smaller batch_size, or "
                "another number of processes"
            )

    @property
    def steps_per_epoch(self) -> int:
        return max(1, self.n_pictures // self.batch_size)

    def places(self, first: int, end: int) -> Iterator[list[_Place]]:
        """Epoch and numbers of the pictures of steps `first` to `end`."""
        order: list[int] = []
        epoch_of_order = -1
        for step in range(first, end):
            epoch, place = divmod(step, self.steps_per_epoch)
            if epoch != epoch_of_order:
                generator = generator_for(self.seed, "order", epoch)
                order, epoch_of_order = torch.randperm(self.n_pictures, generator=generator).tolist(), epoch
            pictures = order[place * self.batch_size : (place + 1) * self.batch_size]
            yield [(epoch, picture) for picture in pictures[self.rank :: self.n_processes]]


@final
@dataclass(frozen=True, eq=False)
class _Prepared(Dataset[_Item | _Failure]):
    """Samples as the network wants them, by epoch and number.

    What is wrong with a picture is returned: raised in a worker, it would come with the worker's traceback as its text.
    """

    samples: Samples
    architecture: Architecture
    augmentation: Augmentation | None
    seed: int
    anchors: Tensor
    inclusive: bool

    def __getitem__(self, place: _Place) -> _Item | _Failure:
        try:
            return self._item(place)
        except _Failure as error:
            return error

    def _item(self, place: _Place) -> _Item:
        epoch, index = place
        sample = self.samples[index]
        if self.augmentation is not None:
            sample = self.augmentation(sample, generator=generator_for(self.seed, "augmentation", epoch, index))
        seen = resized(sample, self.architecture.size)
        boxes = to_centres(seen.boxes)
        if self.inclusive:  # a pixel of the picture as it is stored, where boxes are judged, too
            boxes = scale(to_centres(sample.boxes, inclusive=True), sample.size, seen.size)
        return _Item(as_tensor(seen), boxes, sample.classes, assigned_anchors(boxes, self.anchors))


def batches(
    samples: Samples,
    architecture: Architecture,
    order: Order,
    *,
    first: int,
    end: int,
    augmentation: Augmentation | None,
    inclusive: bool = False,
    n_workers: int = 0,
) -> Iterator[Batch]:
    """The batches of steps `first` to `end`, prepared in so many processes beside this one.

    `inclusive` counts the last pixel of a box in, as published.
    """
    anchors = anchor_grid(architecture.size, architecture.anchor_shapes)
    prepared = _Prepared(samples, architecture, augmentation, order.seed, anchors, inclusive)
    loader: DataLoader[_Item | _Failure] = DataLoader(
        prepared,
        batch_sampler=_Sampler(order, first, end),
        num_workers=n_workers,
        collate_fn=_collated,
        multiprocessing_context="spawn" if n_workers else None,
        generator=Generator(),  # or the loader would draw from torch's global stream
    )
    for batch in loader:
        if isinstance(batch, _Failure):
            raise batch
        yield batch


@dataclass(frozen=True)
class _Sampler:
    order: Order
    first: int
    end: int

    def __iter__(self) -> Iterator[list[_Place]]:
        return self.order.places(self.first, self.end)

    def __len__(self) -> int:
        return self.end - self.first


def _collated(items: Sequence[_Item | _Failure]) -> Batch | _Failure:
    for item in items:
        if isinstance(item, _Failure):
            return item
    images, boxes, classes, anchor = zip(*items, strict=True)
    return Batch(torch.stack(images), Targets.joined(anchor, boxes, classes))
