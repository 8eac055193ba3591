from dataclasses import replace

import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.finding import inference as module
from wdrop.detect.finding.detections import Detections
from wdrop.detect.finding.inference import WAYS, Inference, detect, drawn_boxes
from wdrop.detect.geometry.boxes import Size, to_corners
from wdrop.detect.geometry.deltas import decode
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.prediction import Prediction

SIZE = Size(64, 48)
FEW = Inference(top_n=4, n_draws=30)


def find(net: SqueezeDet, image: Tensor, inference: Inference, size: Size = SIZE) -> Detections:
    return detect(net, image, size, inference, generator=generator_for("draws"))


@pytest.mark.parametrize("how", WAYS)
def test_boxes_and_stds_are_in_pixels_of_the_stored_image(net: SqueezeDet, images: Tensor, how: str) -> None:
    inference = replace(FEW, how=how, top_n=1)
    small, large = find(net, images[0], inference), find(net, images[0], inference, Size(128, 192))
    factors = torch.tensor([2.0, 4, 2, 4])
    assert len(small) == len(large) > 0
    torch.testing.assert_close(large.boxes.mean, small.boxes.mean * factors)
    torch.testing.assert_close(large.boxes.std, small.boxes.std * factors)
    corners = to_corners(small.boxes.mean)
    assert corners.min() >= -1e-4
    assert (corners[:, 2:] <= torch.tensor([63.001, 47.001])).all()


def test_one_pass_gives_the_mean_network_s_best_boxes(net: SqueezeDet, images: Tensor) -> None:
    found = find(net, images[0], Inference(how="closed_form", top_n=1))
    raw = net(images[:1])
    score, label = raw.scores.best()
    assert found.scores[0] == score.max()
    assert found.classes[0] == label[0, score.argmax()]


def test_the_std_of_one_pass_is_that_of_draws_anchor_by_anchor(net: SqueezeDet, images: Tensor) -> None:
    with torch.no_grad():
        net.head.conv.weight[9:] /= 40  # where the first order holds
        features = net.features(images[:1])
        keep = net.head.keep(features.expand(3000, -1, -1, -1), generator_for("many"))
        drawn = decode(net.head(net.head.dropped(features, keep)).deltas, net.anchors).std(0)
    best_first = net(images[:1]).scores.best()[0][0].argsort(descending=True)
    everything = Inference(how="closed_form", top_n=36, max_iou=1.0)
    torch.testing.assert_close(find(net, images[0], everything).boxes.std, drawn[best_first], rtol=0.07, atol=0)


def test_clusters_carry_mean_and_spread_of_their_boxes(
    net: SqueezeDet, images: Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = generator_for("boxes")
    near = torch.tensor([20.0, 20.0, 10.0, 10.0]) + torch.randn(20, 4, generator=generator)
    lone = torch.tensor([[50.0, 40.0, 5.0, 5.0]]).expand(4, -1) + torch.randn(4, 4, generator=generator)
    boxes, classes = torch.cat([near, lone]), torch.tensor([1] * 15 + [0] * 9)
    monkeypatch.setattr(module, "drawn_boxes", lambda *_, **__: (boxes, classes, torch.full((24,), 0.25)))
    found = find(net, images[0], Inference(n_draws=12))
    assert len(found) == 1  # four boxes make no object
    torch.testing.assert_close(found.boxes.mean[0], near.mean(0))
    torch.testing.assert_close(found.boxes.std[0], near.std(0))
    assert found.classes.tolist() == [1]
    assert found.scores.tolist() == [0.25]


def test_draws_do_not_depend_on_how_many_fit_into_memory(
    net: SqueezeDet, images: Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with torch.no_grad():
        features = net.features(images[:1])
    results = []
    for n_at_once in (7, 30):
        monkeypatch.setattr(module, "_DRAWS_AT_ONCE", n_at_once)
        results.append(drawn_boxes(net, features, SIZE, FEW, generator=generator_for("draws"))[0])
    torch.testing.assert_close(results[0], results[1], rtol=1e-4, atol=1e-3)


def test_the_backbone_runs_once(net: SqueezeDet, images: Tensor) -> None:
    calls: list[int] = []
    net.backbone.register_forward_hook(lambda *_: calls.append(1))
    for how in WAYS:
        find(net, images[0], replace(FEW, how=how))
    assert len(calls) == 2


def test_an_image_in_which_nothing_clusters_has_no_detections(net: SqueezeDet, images: Tensor) -> None:
    found = find(net, images[0], Inference(n_draws=5, top_n=2, clustering="hdbscan"))
    assert len(found) == 0
    assert found.boxes.mean.shape == found.boxes.std.shape == (0, 4)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"how": "sample"}, "unknown way 'sample', did you mean 'samples'"),
        ({"clustering": "k-means"}, "did you mean 'kmeans'"),
        ({"n_draws": 1}, "n_draws of at least 2, got 1"),
        ({"n_draws": 4}, "at least 5 draws, as clusters with fewer boxes are dropped, got 4; take more draws"),
        ({"n_draws": 6, "smallest": 7}, "at least 7 draws"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Inference(**changes)  # type: ignore[arg-type]


def test_detections_of_unequal_length_are_refused() -> None:
    boxes = Prediction(torch.zeros(3, 4), torch.zeros(3, 4))
    with pytest.raises(ValueError, match=r"got \(3, 4\), \(2,\) and \(3,\)"):
        Detections(boxes, torch.zeros(2, dtype=torch.int64), torch.zeros(3))
