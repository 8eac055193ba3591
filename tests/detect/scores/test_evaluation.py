from itertools import permutations
from math import isnan

import numpy as np
import pytest
import torch
from torch import Tensor

from wdrop import measures
from wdrop._random import generator_for
from wdrop.detect.data.sample import Sample
from wdrop.detect.finding.detections import Detections
from wdrop.detect.geometry.boxes import iou_matrix, to_centres
from wdrop.detect.scores.bootstrap import intervals
from wdrop.detect.scores.evaluation import COORDINATES, Matched, match, matched, scores, std_factors
from wdrop.prediction import Prediction


def corners(n: int, name: str | int) -> Tensor:
    generator = generator_for("corners", name)
    low = torch.rand(n, 2, generator=generator) * 60
    return torch.cat([low, low + 5 + torch.rand(n, 2, generator=generator) * 40], dim=1)


def sample(boxes: Tensor, classes: Tensor | None = None) -> Sample:
    given = torch.zeros(len(boxes), dtype=torch.int64) if classes is None else classes
    return Sample("made up", np.zeros((4, 4, 3), dtype=np.uint8), boxes, given)


def detections(boxes: Tensor, std: float = 1.0, classes: Tensor | None = None) -> Detections:
    mean = to_centres(boxes)
    given = torch.zeros(len(boxes), dtype=torch.int64) if classes is None else classes
    return Detections(Prediction(mean, torch.full_like(mean, std)), given, torch.ones(len(boxes)))


def honest(n_pictures: int, factor: float = 1.0) -> Matched:
    """Boxes whose error is Gaussian with std 3, of which they report `factor`."""
    generator = generator_for("honest")
    pairs = []
    for picture in range(n_pictures):
        truth = torch.tensor([[100.0, 100, 300, 250], [600, 50, 900, 300], [1200, 400, 1500, 700]])
        found = detections(truth)
        mean = found.boxes.mean + 3 * torch.randn(3, 4, generator=generator)
        boxes = Prediction(mean, torch.full_like(mean, 3 * factor))
        classes = torch.tensor([0, 0, picture % 2])
        pairs.append((Detections(boxes, classes, torch.ones(3)), sample(truth)))
    return matched(pairs)


@pytest.mark.parametrize("seed", range(10))
def test_matching_is_the_best_of_all_assignments(seed: int) -> None:
    detected, truth = corners(5, seed), corners(4, 100 + seed)
    overlaps = iou_matrix(detected, truth)
    best = max(sum(float(overlaps[i, j]) for j, i in enumerate(order)) for order in permutations(range(5), 4))
    rows, columns = match(detected, truth, min_iou=0)
    assert float(overlaps[rows, columns].sum()) == pytest.approx(best, abs=1e-6)
    assert len(set(rows.tolist())) == len(rows) == 4


def test_pairs_that_hardly_overlap_are_dropped() -> None:
    truth = torch.tensor([[0.0, 0, 10, 10], [50, 50, 60, 60]])
    detected = torch.tensor([[0.0, 0, 10, 10], [58, 58, 68, 68], [200, 200, 210, 210]])
    rows, columns = match(detected, truth)
    assert (rows.tolist(), columns.tolist()) == ([0], [0])
    assert len(match(torch.empty(0, 4), truth)[0]) == 0


def test_scores_are_the_librarys_measures_over_four_targets() -> None:
    matches = honest(40, factor=0.5)
    mean, std, y = matches.boxes.mean, matches.boxes.std, matches.truth
    found = scores(matches)
    for name in ("nll", "ece", "ws", "etl"):
        assert found[name] == pytest.approx(getattr(measures, name)(mean, std, y))
        assert found[name] == pytest.approx(np.mean([found[f"{name}_{coordinate}"] for coordinate in COORDINATES]))
    assert found["rmse"] == pytest.approx(float((mean - y).square().mean().sqrt()))
    assert found["miou"] == pytest.approx(float(matches.iou.mean()))
    assert found["std"] == pytest.approx(1.5)


def test_honest_boxes_score_better_than_sure_ones() -> None:
    good, sure = scores(honest(100)), scores(honest(100, factor=0.2))
    for name in ("nll", "ece", "ws", "etl"):
        assert good[name] < 0.7 * sure[name]
    assert good["rmse"] == pytest.approx(3, rel=0.1)
    assert good["rmse"] == sure["rmse"]


def test_recall_counts_classes_and_what_was_missed() -> None:
    truth = torch.tensor([[0.0, 0, 10, 10], [50, 50, 60, 60], [100, 100, 120, 120], [200, 0, 220, 20]])
    found = detections(truth[:3], classes=torch.tensor([0, 1, 0]))
    nothing = detections(torch.empty(0, 4))
    empty = sample(torch.empty(0, 4))
    result = scores(matched([(found, sample(truth)), (nothing, sample(truth[:1])), (found, empty)]))
    assert (result["n_pictures"], result["n_objects"], result["n_matched"], result["n_detections"]) == (2, 5, 3, 3)
    assert (result["found"], result["recall"]) == (0.6, 0.4)
    assert result["miou"] == pytest.approx(1)
    assert result["rmse"] == 0


def test_nothing_matched_gives_nan_and_not_zero() -> None:
    result = scores(matched([(detections(torch.empty(0, 4)), sample(corners(2, 0)))]))
    assert all(isnan(result[name]) for name in ("ece", "rmse", "nll_x"))
    assert result["recall"] == 0
    assert set(result) == set(scores(honest(3)))
    assert isnan(scores(matched([]))["recall"])


def test_a_box_without_spread_is_scored_not_refused() -> None:
    boxes = corners(3, 5)
    result = scores(matched([(detections(boxes, std=0.0), sample(boxes + 1))]))
    assert result["nll"] > 1e6


def test_the_inclusive_truth_is_a_pixel_larger() -> None:
    boxes = corners(3, 6)
    matches = matched([(detections(boxes), sample(boxes))], inclusive=True)
    plain = matched([(detections(boxes), sample(boxes))])
    torch.testing.assert_close(matches.truth - plain.truth, torch.tensor([0.5, 0.5, 1, 1]).double().expand(3, 4))


def test_as_published_rounds_in_the_ece_only() -> None:
    matches = honest(50)
    plain, rounded = scores(matches), scores(matches, as_published=True)
    differing = {name for name in plain if plain[name] != rounded[name]}
    assert differing
    assert all(name.startswith("ece") for name in differing)


def test_one_factor_a_coordinate_removes_the_scale() -> None:
    matches = honest(100, factor=0.25)
    factors = std_factors(matches)
    torch.testing.assert_close(factors, torch.full((4,), 4.0).double(), rtol=0.15, atol=0)
    mended = matches.rescaled(factors)
    torch.testing.assert_close(std_factors(mended), torch.ones(4).double())
    assert scores(mended)["ece"] < scores(matches)["ece"]


def test_pictures_are_taken_whole_and_as_often_as_drawn() -> None:
    matches = honest(4)
    taken = matches.of_pictures(torch.tensor([3, 1, 3]))
    assert taken.picture.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert torch.equal(taken.boxes.mean[:3], taken.boxes.mean[6:])
    assert torch.equal(taken.boxes.mean[3:6], matches.boxes.mean[3:6])
    assert torch.equal(taken.truth, matches.truth[[9, 10, 11, 3, 4, 5, 9, 10, 11]])
    assert (taken.n_pictures, int(taken.n_objects.sum())) == (3, 9)
    everything = matches.of_pictures(torch.arange(4))
    assert scores(everything) == scores(matches)


def test_intervals_hold_the_score_and_shrink_with_more_pictures() -> None:
    few, many = honest(20), honest(320)
    found = [intervals(one, n_repeats=60, generator=generator_for("bootstrap")) for one in (few, many)]
    for name in ("rmse", "nll", "std"):
        low, high = found[1][name]
        assert low <= scores(many)[name] <= high
    widths = [high - low for low, high in (one["rmse"] for one in found)]
    assert 2 < widths[0] / widths[1] < 8  # ideally 4
    low, high = found[0]["recall"]
    assert low < high
