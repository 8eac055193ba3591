from dataclasses import dataclass

import torch

from wdrop.detect.data.rendered import RenderedSet
from wdrop.detect.data.sample import Sample
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluated import detections_of, evaluated
from wdrop.detect.scores.evaluation import scores

DRAWN = Inference(n_draws=6, top_n=8, smallest=2)
SCENES = RenderedSet("test", 4, Size(96, 64))
INPUT_SIZED = RenderedSet("test", 1, Size(64, 48))


@dataclass(frozen=True)
class Reordered:
    """The scenes in another order, under other class names."""

    order: tuple[int, ...]
    class_names: tuple[str, ...] = ("person", "tram", "car")
    name: str = "reordered"
    fingerprint: str = "reordered"
    crop: None = None

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, index: int) -> Sample:
        return SCENES[self.order[index]]


def test_a_detector_is_scored_on_scenes_of_any_size(net: SqueezeDet) -> None:
    told: list[tuple[int, int]] = []
    for inference in (DRAWN, Inference(how="closed_form", top_n=8)):
        matches = evaluated(net, SCENES, inference, progress=lambda done, of: told.append((done, of)))
        result = scores(matches)
        assert result["n_objects"] == SCENES.n_objects
        assert 0 < result["n_matched"] <= result["n_objects"]
        assert result["std"] > 0
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)] * 2


def test_boxes_come_in_pixels_of_the_stored_picture(net: SqueezeDet) -> None:
    inference = Inference(how="closed_form", top_n=8)
    ((plain, _),) = detections_of(net, INPUT_SIZED, inference)
    ((stored, _),) = detections_of(net, _Enlarged(), inference)  # brought to the input's size it is the same picture
    torch.testing.assert_close(stored.boxes.mean, 2 * plain.boxes.mean)
    torch.testing.assert_close(stored.boxes.std, 2 * plain.boxes.std)


def test_draws_depend_on_the_picture_and_not_on_its_place(net: SqueezeDet) -> None:
    forward = [found for found, _ in detections_of(net, Reordered((0, 1, 2)), DRAWN)]
    backward = [found for found, _ in detections_of(net, Reordered((2, 1, 0)), DRAWN)]
    for one, other in zip(forward, backward[::-1], strict=True):
        assert torch.equal(one.boxes.mean, other.boxes.mean)
    other_seed = next(iter(detections_of(net, Reordered((0,)), DRAWN, seed=1)))[0]
    assert not torch.equal(forward[0].boxes.mean, other_seed.boxes.mean)


def test_classes_are_told_in_the_numbers_of_the_set(net: SqueezeDet) -> None:
    assert net.architecture.classes == ("car", "person")
    ours = torch.cat([found.classes for found, _ in detections_of(net, Reordered((0, 1, 2, 3)), DRAWN)])
    assert set(ours.tolist()) <= {2, 0}
    foreign = torch.cat([found.classes for found, _ in detections_of(net, SCENES, DRAWN)])
    assert set(foreign.tolist()) == {-1}  # the scenes know neither a car nor a person


class _Enlarged:
    """The scene stored twice as large."""

    name = fingerprint = "enlarged"
    class_names = INPUT_SIZED.class_names
    crop = None

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> Sample:
        scene = INPUT_SIZED[0]
        return Sample(scene.name, scene.image.repeat(2, axis=0).repeat(2, axis=1), 2 * scene.boxes, scene.classes)
