import json
from math import isnan
from pathlib import Path

import pytest
import torch

from wdrop.detect.data import RenderedSet, Sample
from wdrop.detect.files.tensor_file import write_tensors
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluated import evaluated
from wdrop.detect.scores.evaluation import scores
from wdrop.detect.training.train import CHECKPOINT_FILE, TRAJECTORY_FILE
from wdrop.detect.training.trajectory import Trajectory

SCENES = RenderedSet("test", 4, Size(96, 64))
ONE_PASS = Inference(how="closed_form", top_n=8)


def checkpoint_of(steps: int, folder: Path) -> None:
    """A checkpoint, as far as a trajectory asks."""
    write_tensors(folder / CHECKPOINT_FILE, {"losses": torch.zeros(steps, 3)}, "detector checkpoint", {})


def test_looks_are_kept_through_a_kill_and_told_once(net: SqueezeDet, tmp_path: Path) -> None:
    first = Trajectory(SCENES, ONE_PASS, tmp_path)
    first(net, 10)
    first(net, 20)
    assert first.seconds > 0
    checkpoint_of(20, tmp_path)
    later = Trajectory(SCENES, ONE_PASS, tmp_path)
    assert [row["nll"] for row in later.steps.values()] == [row["nll"] for row in first.steps.values()]
    assert later.seconds == first.seconds
    later(net, 20)  # as a training does that goes on
    later(net, 30)
    assert list(later.steps) == [10, 20, 30]
    assert later.seconds > first.seconds
    assert later.steps[30]["rmse"] == scores(evaluated(net, SCENES, ONE_PASS))["rmse"]


def test_looks_beyond_the_checkpoint_are_not_believed_and_none_without_one(net: SqueezeDet, tmp_path: Path) -> None:
    first = Trajectory(SCENES, ONE_PASS, tmp_path)
    first(net, 10)
    first(net, 20)
    checkpoint_of(10, tmp_path)
    assert list(Trajectory(SCENES, ONE_PASS, tmp_path).steps) == [10]
    (tmp_path / CHECKPOINT_FILE).unlink()  # as its refusal says, to start anew
    anew = Trajectory(SCENES, ONE_PASS, tmp_path)
    assert (anew.steps, anew.seconds) == ({}, 0)


def test_a_look_missed_by_a_kill_is_made_up_and_its_seconds_are_kept(net: SqueezeDet, tmp_path: Path) -> None:
    class Spoilt:
        name = fingerprint = "spoilt"
        class_names, crop = SCENES.class_names, None

        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Sample:
            raise KeyboardInterrupt

    checkpoint_of(10, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        Trajectory(Spoilt(), ONE_PASS, tmp_path)(net, 10)
    later = Trajectory(SCENES, ONE_PASS, tmp_path)
    assert later.seconds > 0
    later(net, 10)
    assert list(later.steps) == [10]


def test_what_has_no_score_yet_is_null_in_the_file(net: SqueezeDet, tmp_path: Path) -> None:
    Trajectory(RenderedSet("test", 0, Size(96, 64)), ONE_PASS, tmp_path)(net, 10)  # nothing to match, nothing to score
    text = (tmp_path / TRAJECTORY_FILE).read_text()
    assert json.loads(text, parse_constant=pytest.fail)["steps"]["10"]["rmse"] is None
    checkpoint_of(10, tmp_path)
    assert isnan(Trajectory(None, ONE_PASS, tmp_path).steps[10]["rmse"])


def test_without_pictures_only_time_is_kept(net: SqueezeDet) -> None:
    nothing = Trajectory(None, ONE_PASS)
    nothing(net, 10)
    assert nothing.steps == {}
