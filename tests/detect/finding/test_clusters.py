import numpy as np
import pytest

from wdrop.detect.finding.clusters import CLUSTERINGS, hdbscan, kmeans


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_two_objects_seen_by_thirty_draws_are_two_clusters(name: str) -> None:
    noise = np.random.default_rng(0).normal(size=(60, 4))
    objects = np.tile([[10.0, 20.0, 30.0, 40.0], [200.0, 100.0, 50.0, 20.0]], (30, 1))
    labels = CLUSTERINGS[name](objects + noise, 30)
    assert len(set(labels[0::2])) == len(set(labels[1::2])) == 1
    assert labels[0] != labels[1]
    assert min(labels) == 0


def test_kmeans_makes_as_many_clusters_as_a_draw_has_boxes() -> None:
    boxes = np.random.default_rng(0).uniform(size=(59, 4))
    assert set(kmeans(boxes, 10)) == set(range(5))  # 5.9, rounded down
    assert set(kmeans(boxes[:3], 10)) == {0}


def test_draws_that_agree_exactly_make_no_more_clusters_than_boxes() -> None:
    boxes = np.tile([[1.0, 2.0, 3.0, 4.0]], (60, 1))
    assert set(kmeans(boxes, 10)) == {0}


def test_hdbscan_leaves_out_what_is_alone() -> None:
    boxes = np.concatenate([np.random.default_rng(0).normal(size=(40, 4)), np.full((1, 4), 500.0)])
    assert hdbscan(boxes, 20)[-1] == -1
    assert hdbscan(boxes[:5], 20).tolist() == [-1] * 5
