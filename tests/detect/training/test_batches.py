from dataclasses import replace

import pytest
import torch

from wdrop.detect.data import RenderedSet, Sample
from wdrop.detect.data.reading.pictures import UnreadablePictureError
from wdrop.detect.geometry.boxes import Size, scale, to_centres
from wdrop.detect.network.squeezedet import Architecture
from wdrop.detect.training.augmentation import Augmentation
from wdrop.detect.training.batches import Order, batches

SAMPLES = RenderedSet("train", 5, Size(64, 48))
ARCHITECTURE = Architecture(classes=SAMPLES.class_names, size=Size(64, 48), anchor_shapes=((20, 12), (8, 18)))


def test_an_epoch_shows_every_picture_once() -> None:
    order = Order(10, 3, seed=0)
    assert order.steps_per_epoch == 3
    steps = list(order.places(0, 6))
    first, second = ([picture for step in part for _, picture in step] for part in (steps[:3], steps[3:]))
    assert len(set(first)) == len(set(second)) == 9
    assert first != second
    assert [epoch for step in steps for epoch, _ in step] == [0] * 9 + [1] * 9


def test_a_start_in_mid_epoch_sees_what_comes_next() -> None:
    order = Order(10, 3, seed=4)
    assert list(order.places(4, 8)) == list(order.places(0, 8))[4:]
    assert list(Order(10, 3, seed=5).places(4, 8)) != list(order.places(4, 8))


def test_a_set_smaller_than_a_batch_is_taken_whole() -> None:
    assert [sorted(picture for _, picture in step) for step in Order(2, 20, seed=0).places(0, 2)] == [[0, 1]] * 2


def test_processes_share_out_each_batch() -> None:
    whole = list(Order(10, 4, seed=0).places(0, 5))
    halves = [list(Order(10, 4, 0, rank, 2).places(0, 5)) for rank in (0, 1)]
    for step, first, second in zip(whole, *halves, strict=True):
        assert sorted(first + second) == sorted(step)
        assert len(first) == len(second) == 2


@pytest.mark.parametrize(("n_pictures", "batch_size"), [(10, 3), (5, 20)])
def test_a_batch_that_processes_cannot_share_evenly_is_refused(n_pictures: int, batch_size: int) -> None:
    n = min(n_pictures, batch_size)
    with pytest.raises(ValueError, match=rf"expected batches that 2 processes can share evenly, got {n} pictures a st"):
        Order(n_pictures, batch_size, seed=0, rank=0, n_processes=2)


def test_batches_are_a_function_of_seed_and_step() -> None:
    def some(first: int, seed: int = 0) -> list[torch.Tensor]:
        order = Order(len(SAMPLES), 2, seed)
        made = batches(SAMPLES, ARCHITECTURE, order, first=first, end=4, augmentation=Augmentation())
        return [batch.images for batch in made]

    whole = some(0)
    assert len(whole) == 4
    assert all(torch.equal(a, b) for a, b in zip(whole[2:], some(2), strict=True))
    assert not torch.equal(whole[2], some(2, seed=1)[0])


@pytest.mark.parametrize("inclusive", [False, True])
def test_targets_follow_the_pictures(inclusive: bool) -> None:
    (batch,) = batches(SAMPLES, ARCHITECTURE, Order(5, 5, 0), first=0, end=1, augmentation=None, inclusive=inclusive)
    assert batch.images.shape == (5, 3, 48, 64)
    assert batch.images.dtype == torch.uint8
    for i, (_, index) in enumerate(next(Order(5, 5, 0).places(0, 1))):
        mine, sample = batch.targets.image == i, SAMPLES[index]
        assert torch.equal(batch.targets.classes[mine], sample.classes)
        extents = sample.boxes[:, 2:] - sample.boxes[:, :2] + int(inclusive)
        assert torch.equal(batch.targets.boxes[mine][:, 2:], extents)


def test_the_published_pixel_is_one_of_the_stored_picture() -> None:
    """So boxes are learnt as they are judged, at whatever size they are seen."""
    other = replace(ARCHITECTURE, size=Size(80, 32))
    (batch,) = batches(SAMPLES, other, Order(5, 5, 0), first=0, end=1, augmentation=None, inclusive=True)
    truth = [to_centres(SAMPLES[index].boxes, inclusive=True) for _, index in next(Order(5, 5, 0).places(0, 1))]
    torch.testing.assert_close(batch.targets.boxes, scale(torch.cat(truth), SAMPLES.size, other.size))


class _Spoilt:
    """Scenes of which the fourth cannot be read."""

    name, fingerprint, class_names = SAMPLES.name, SAMPLES.fingerprint, SAMPLES.class_names
    crop = None

    def __len__(self) -> int:
        return len(SAMPLES)

    def __getitem__(self, index: int) -> Sample:
        if index == 3:
            raise UnreadablePictureError("3.png: expected a picture")
        return SAMPLES[index]


@pytest.mark.parametrize("n_workers", [0, 1])
def test_a_picture_that_cannot_be_read_is_told_alike_with_and_without_workers(n_workers: int) -> None:
    made = batches(_Spoilt(), ARCHITECTURE, Order(5, 5, 0), first=0, end=1, augmentation=None, n_workers=n_workers)
    with pytest.raises(UnreadablePictureError, match=r"^3\.png: expected a picture$"):
        next(made)
