import json
from math import isnan
from pathlib import Path

import pytest

from wdrop.detect.data import RenderedSet
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluated import evaluated
from wdrop.detect.scores.evaluation import scores
from wdrop.detect.training.trajectory import Trajectory

SCENES = RenderedSet("test", 4, Size(96, 64))
ONE_PASS = Inference(how="closed_form", top_n=8)


def test_looks_are_kept_through_a_kill_and_told_once(net: SqueezeDet, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "trajectory.json"
    first = Trajectory(SCENES, ONE_PASS, path)
    first(net, 10)
    first(net, 20)
    assert first.seconds > 0
    later = Trajectory(SCENES, ONE_PASS, path)
    assert [row["nll"] for row in later.steps.values()] == [row["nll"] for row in first.steps.values()]
    assert later.seconds == first.seconds
    later(net, 20)  # the kill came between look and checkpoint
    later(net, 30)
    assert list(later.steps) == [10, 20, 30]
    assert later.seconds > first.seconds
    assert later.steps[30]["rmse"] == scores(evaluated(net, SCENES, ONE_PASS))["rmse"]


def test_what_has_no_score_yet_is_null_in_the_file(net: SqueezeDet, tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    Trajectory(RenderedSet("test", 0, Size(96, 64)), ONE_PASS, path)(net, 10)  # nothing to match, nothing to score
    assert json.loads(path.read_text(), parse_constant=pytest.fail)["steps"]["10"]["rmse"] is None
    assert isnan(Trajectory(None, ONE_PASS, path).steps[10]["rmse"])


def test_without_pictures_only_time_is_kept(net: SqueezeDet) -> None:
    nothing = Trajectory(None, ONE_PASS)
    nothing(net, 10)
    assert nothing.steps == {}
