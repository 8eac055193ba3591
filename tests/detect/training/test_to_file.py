from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from detect.native_trees import build

from wdrop.detect.data import RenderedSet, load_detection
from wdrop.detect.data.thinned import Thinned
from wdrop.detect.files.detector_file import load_detector
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.architectures import architecture_for
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.training.checkpoint import Checkpoint
from wdrop.detect.training.facts import detector_facts
from wdrop.detect.training.optimiser import Optimisation
from wdrop.detect.training.processes import Processes
from wdrop.detect.training.to_file import train_to_file, training_folder
from wdrop.detect.training.train import CHECKPOINT_FILE, DetectorTraining, train_detector

SCENES = RenderedSet("train", 3, Size(64, 48))
ARCHITECTURE = architecture_for(SCENES.class_names, Size(64, 48))
BRIEF = DetectorTraining(n_steps=2, batch_size=2, checkpoint_every=1, device="cpu")


@pytest.fixture(autouse=True)
def _no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setattr("wdrop.detect.network.pretrained.cache_folder", lambda: tmp_path)


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_a_training_ends_in_a_file_and_is_not_begun_twice(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "model.safetensors"
    trained, trajectory = train_to_file(path, SCENES, ARCHITECTURE, BRIEF, watched=SCENES)
    assert list(trajectory.steps) == [1, 2]
    net, facts = load_detector(path)
    assert torch.equal(net.head.conv.weight, trained.net.head.conv.weight)
    assert (facts["data"], facts["n_pictures"], facts["crop"]) == ("rendered", 3, False)
    assert facts["training"]["n_steps"] == 2
    with pytest.raises(FileExistsError, match=r"a training has begun here; go on from it with --resume"):
        train_to_file(path, SCENES, ARCHITECTURE, BRIEF)
    again, _ = train_to_file(path, SCENES, ARCHITECTURE, BRIEF, resume=True)
    assert torch.equal(again.net.head.conv.weight, trained.net.head.conv.weight)
    assert training_folder(path).is_dir()


def test_a_detector_knows_the_pictures_it_saw_and_not_those_of_the_set_s_usual_way(tmp_path: Path) -> None:
    build("kitti", tmp_path, 3, 1)
    cropped, whole = (load_detection("kitti", "train", folder=tmp_path, crop=crop) for crop in ("default", None))
    assert detector_facts(Thinned(cropped, 2), BRIEF)["crop"] is True
    assert detector_facts(whole, BRIEF)["crop"] is False


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_force_begins_anew_over_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_text("a letter")
    train_to_file(path, SCENES, ARCHITECTURE, BRIEF, force=True)
    _, trajectory = train_to_file(path, SCENES, ARCHITECTURE, replace(BRIEF, n_steps=1), force=True, watched=SCENES)
    assert list(trajectory.steps) == [1]
    assert load_detector(path)[1]["training"]["n_steps"] == 1


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
@pytest.mark.parametrize("wrong", ["weights", "batch", "rate"])
def test_force_keeps_the_old_training_until_the_new_one_has_a_checkpoint(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "model", replace(BRIEF, checkpoint_every=9, n_steps=9)
    train_to_file(path, SCENES, ARCHITECTURE, BRIEF, watched=SCENES)
    before = {file.name: file.read_bytes() for file in training_folder(path).iterdir()}
    weights = tmp_path / "none" / "squeezenet_v1.1_caffe_imagenet.npz" if wrong == "weights" else None
    if wrong == "batch":
        monkeypatch.setattr("wdrop.detect.training.train.processes", two_processes)
        other = replace(other, batch_size=3)
    if wrong == "rate":
        other = replace(other, optimisation=Optimisation(learning_rate=1e30))
    with pytest.raises((OSError, ValueError, FloatingPointError), match="expected"):
        train_to_file(path, SCENES, ARCHITECTURE, other, watched=SCENES, weights=weights, force=True)
    assert {file.name: file.read_bytes() for file in training_folder(path).iterdir()} == before
    with pytest.raises((OSError, ValueError, FloatingPointError), match="expected"):
        train_to_file(tmp_path / "another", SCENES, ARCHITECTURE, other, weights=weights)
    assert not training_folder(tmp_path / "another").exists()


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_a_kill_after_the_first_new_checkpoint_leaves_no_scores_of_the_old_training(tmp_path: Path) -> None:
    path = tmp_path / "model"
    train_to_file(path, SCENES, ARCHITECTURE, BRIEF, watched=SCENES)

    def killed(net: SqueezeDet, done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_detector(SCENES, ARCHITECTURE, BRIEF, folder=training_folder(path), anew=True, look=killed)
    assert [file.name for file in training_folder(path).iterdir()] == [CHECKPOINT_FILE]
    assert Checkpoint.steps_in(training_folder(path) / CHECKPOINT_FILE) == 1


@contextmanager
def two_processes(device: torch.device) -> Iterator[Processes]:
    yield Processes(2, 0, device)


def never(done: int, total: int, losses: Mapping[str, float]) -> None:
    pytest.fail("a step was made")


@pytest.mark.parametrize("resume", [False, True])
def test_what_cannot_be_written_is_told_before_the_first_step(resume: bool, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("a letter")
    (tmp_path / "folder").mkdir()
    (tmp_path / "new.training").write_text("")
    for name, message in {
        "letter": "letter is already there; use --force",
        "folder": "folder is a folder; expected the name of a file",
        "letter/model": "letter is a file; expected a folder to write to",
        "new": "new.training is a file; expected a folder to write to",
    }.items():
        with pytest.raises(OSError, match=message):
            train_to_file(tmp_path / name, SCENES, ARCHITECTURE, BRIEF, resume=resume, progress=never)
    assert (tmp_path / "letter").read_text() == "a letter"
