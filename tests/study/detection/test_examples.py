"""Which pictures a report shows, and what is kept of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from detect.native_trees import build

from wdrop._random import generator_for
from wdrop.detect.data.sample import Sample
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size, iou_matrix, to_corners
from wdrop.detect.network.architectures import architecture_for
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.study.detection.examples import examples, telling
from wdrop.study.detection.run import execute_detector
from wdrop.study.plan import parse_study

GROUP: dict[str, Any] = {
    "kind": "detection",
    "dataset": ["virtual_kitti", "carla"],
    "domains": ["carla"],
    "method": "mc",
    "width": 96,
    "height": 64,
    "n_looked": 1,
    "n_judged": 1,
    "n_repeats": 2,
    "corruptions": [],
    "inference": {"n_draws": 3, "smallest": 2, "top_n": 12},
    "training": {"n_steps": 1, "batch_size": 1},
}
CAR = [20.0, 20.0, 76.0, 50.0]


@dataclass(frozen=True)
class Pictures:
    """Grey pictures with these boxes."""

    boxes: tuple[list[list[float]], ...]
    name = "grey"
    class_names = ("car",)
    crop: None = None
    fingerprint = "grey"

    def __len__(self) -> int:
        return len(self.boxes)

    def __getitem__(self, index: int) -> Sample:
        boxes = torch.tensor(self.boxes[index])
        image = np.full((64, 96, 3), 90 + index, dtype=np.uint8)
        return Sample(f"grey {index}", image, boxes, torch.zeros(len(boxes), dtype=torch.int64))


SMALL, TWO_SMALL = [[5.0, 5.0, 9.0, 9.0]], [[5.0, 5.0, 9.0, 9.0], [30.0, 30.0, 36.0, 36.0]]
PICTURES = Pictures((SMALL, [CAR], [CAR, CAR], SMALL, TWO_SMALL, SMALL))


def test_large_objects_are_shown_one_picture_from_each_stretch_of_the_video() -> None:
    assert list(telling(PICTURES)) == [2, 4]  # not 1 and 2, which are neighbours
    assert list(telling(Pictures(([CAR],)))) == [0]


def test_the_true_boxes_are_kept_and_the_found_ones_that_match_them() -> None:
    net = SqueezeDet(
        architecture_for(("car",), Size(96, 64), generator=generator_for("anchors")), generator=generator_for("net")
    )
    kept = examples(net, PICTURES, {"closed_form": Inference(how="closed_form")}, seed=0)
    np.testing.assert_array_equal(kept["example/0/truth"], [CAR, CAR])
    np.testing.assert_array_equal(kept["example/1/truth_classes"], [0, 0])
    assert kept["example/0/picture"][0, 0, 0] == 92
    found = to_corners(torch.from_numpy(kept["example/0/closed_form/mean"]))
    assert 0 < len(found) <= 2
    assert (iou_matrix(found.double(), torch.tensor([CAR]).double()) >= 0.1).all()
    assert kept["example/0/closed_form/std"].shape == found.shape


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_no_detector_is_shown_on_data_that_it_was_not_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WDROP_DATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("virtual_kitti", "carla"):
        build(name, tmp_path / "detection" / name, 3, 2)
    runs = parse_study("small", {"groups": {"main": GROUP}}).runs
    kept = {run.dataset: execute_detector(run, lambda done, total: None) for run in runs}
    assert [outcome.rows[0]["error"] for outcome in kept.values()] == ["", ""]
    assert {name: "example/0/truth" in outcome.arrays for name, outcome in kept.items()} == {
        "virtual_kitti": False,
        "carla": True,
    }
    assert not any(name.startswith("example/") for name in kept["virtual_kitti"].arrays)
