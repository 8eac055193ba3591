import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from wdrop._random import generator_for
from wdrop.detect.data import RenderedSet
from wdrop.detect.files.detector_file import load_detector, save_detector
from wdrop.detect.files.tensor_file import read_tensors
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.architectures import architecture_for
from wdrop.detect.network.pretrained import _layers
from wdrop.detect.network.squeezedet import Architecture, SqueezeDet
from wdrop.detect.training.checkpoint import Checkpoint
from wdrop.detect.training.objective import DetectionLoss
from wdrop.detect.training.optimiser import Optimisation
from wdrop.detect.training.train import CHECKPOINT_FILE, DetectorTraining, Trained, train_detector

SAMPLES = RenderedSet("train", 7, Size(64, 48))
ARCHITECTURE = Architecture(classes=SAMPLES.class_names, size=Size(64, 48), anchor_shapes=((20, 12), (8, 18), (30, 20)))
ADAM = Optimisation(algorithm="adam", learning_rate=3e-4)
STEPS_PER_EPOCH = 3
BRIEF = DetectorTraining(n_steps=7, batch_size=2, checkpoint_every=2, device="cpu", optimisation=ADAM)
LONGER = replace(BRIEF, n_steps=20)
PLAIN_SGD = replace(  # unlike Adam, and unlike clipped gradients, it feels how large a gradient is
    BRIEF, n_steps=5, optimisation=Optimisation(algorithm="sgd", learning_rate=0.001, clip=1e9)
)


@pytest.fixture(autouse=True)
def _no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setattr("wdrop.detect.network.pretrained.cache_folder", lambda: tmp_path)


def train(training: DetectorTraining, folder: Path | None = None, **others: object) -> Trained:
    return train_detector(SAMPLES, ARCHITECTURE, training, folder=folder, **others)  # type: ignore[arg-type]


class Cut(Exception):  # noqa: N818
    """The end of a program, foreseen."""


def cut_at(step: int) -> object:
    def progress(done: int, total: int, losses: Mapping[str, float]) -> None:
        if done == step:
            raise Cut

    return progress


def equal(a: SqueezeDet, b: SqueezeDet) -> bool:
    return all(torch.equal(x, y) for x, y in zip(a.state_dict().values(), b.state_dict().values(), strict=True))


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
@pytest.mark.parametrize("algorithm", ["sgd", "adam"])
def test_a_training_cut_in_mid_epoch_goes_on_as_if_nothing_had_happened(algorithm: str, tmp_path: Path) -> None:
    training = replace(BRIEF, optimisation=replace(ADAM, algorithm=algorithm))
    whole = train(training)
    assert whole.losses.shape == (7, 3)
    with pytest.raises(Cut):
        train(training, tmp_path, progress=cut_at(5))
    seen: list[int] = []
    resumed = train(training, tmp_path, look=lambda net, done: seen.append(done))
    assert seen == [4, 6, 7]  # on from the checkpoint at 4
    assert torch.equal(resumed.losses, whole.losses)
    assert equal(resumed.net, whole.net)
    again = train(training, tmp_path)  # nothing left to do
    assert equal(again.net, whole.net)
    assert again.backbone is whole.backbone is None


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_a_look_that_fails_costs_no_step(tmp_path: Path) -> None:
    def look(net: SqueezeDet, done: int) -> None:
        raise Cut

    with pytest.raises(Cut):
        train(BRIEF, tmp_path, look=look)
    assert Checkpoint.steps_in(tmp_path / CHECKPOINT_FILE) == 2


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_another_training_is_refused_by_what_differs(tmp_path: Path) -> None:
    train(replace(BRIEF, n_steps=1), tmp_path)
    with pytest.raises(ValueError, match=r"got one with n_steps = 1, not 7; take another folder"):
        train(BRIEF, tmp_path)
    mc = replace(BRIEF, n_steps=1, loss=DetectionLoss(kind="mc"))
    with pytest.raises(
        ValueError, match=r"got one with loss.kind = wasserstein, not mc; .* with --force in place of --"
    ):
        train(mc, tmp_path)
    larger = architecture_for(SAMPLES.class_names, Size(128, 96))
    message = r"got one with other architecture.anchor_shapes, and architecture.size = \[64, 48\], not \[128, 96\];"
    with pytest.raises(ValueError, match=message):
        train_detector(SAMPLES, larger, replace(BRIEF, n_steps=1), folder=tmp_path)
    with pytest.raises(ValueError, match=r"got one with seed = 0, not 3"):
        train(replace(BRIEF, n_steps=1, seed=3), tmp_path)
    with pytest.raises(ValueError, match="expected a detector file, got 'wdrop detector checkpoint'"):
        load_detector(tmp_path / CHECKPOINT_FILE)
    (tmp_path / CHECKPOINT_FILE).write_bytes((tmp_path / CHECKPOINT_FILE).read_bytes()[:-1000])
    with pytest.raises(ValueError, match=rf"{CHECKPOINT_FILE}: expected a detector checkpoint file, got one cut off"):
        train(replace(BRIEF, n_steps=1), tmp_path)


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_a_training_does_not_go_on_with_other_pictures(tmp_path: Path) -> None:
    train(replace(BRIEF, n_steps=1), tmp_path)
    others = replace(SAMPLES, seed=1)
    with pytest.raises(ValueError, match=r"got one with data = rendered, 7 pictures, fingerprint .*, not rendered, 7"):
        train_detector(others, ARCHITECTURE, replace(BRIEF, n_steps=1), folder=tmp_path)


def test_a_training_does_not_go_on_as_if_it_had_begun_from_other_weights(tmp_path: Path) -> None:
    first, second = (weights_of(value, tmp_path / str(value) / "squeezenet_v1.1_imagenet.npz") for value in (0, 1))
    training = replace(BRIEF, n_steps=1)
    train(training, tmp_path, weights=first)
    train(training, tmp_path, weights=first)
    first.unlink()
    assert train(training, tmp_path).backbone == "squeezenet_v1.1_imagenet.npz"  # that of the checkpoint
    with pytest.raises(ValueError, match=r"expected a training that began from .*1.squeezenet.*, got one from another"):
        train(training, tmp_path, weights=second)
    with pytest.raises(FileNotFoundError, match=r"none\.npz: expected a weights file, got none there"):
        train(training, tmp_path, weights=tmp_path / "none.npz")


def weights_of(value: float, path: Path) -> Path:
    """A backbone's file, all its weights of that value."""
    net = SqueezeDet(ARCHITECTURE, generator=generator_for("any"))
    path.parent.mkdir()
    np.savez(path, **{name: np.full(like.shape, value, np.float32) for like, name in _layers(net)})  # type: ignore[arg-type]
    return path


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_training_learns_the_scenes() -> None:
    few = RenderedSet("train", 4, Size(64, 48))
    recipe = replace(BRIEF, n_steps=40, batch_size=4, augmentation=None, optimisation=replace(ADAM, learning_rate=1e-3))
    losses = train_detector(few, ARCHITECTURE, recipe).losses.sum(1)
    assert losses[-5:].mean() < 0.5 * losses[:5].mean()


def test_wrong_classes_and_empty_sets_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rendered: expected its classes .* in the architecture, got \('car',\)"):
        train_detector(SAMPLES, replace(ARCHITECTURE, classes=("car",)), BRIEF)
    with pytest.raises(ValueError, match="rendered: expected at least one picture"):
        train_detector(RenderedSet("train", 0, Size(64, 48)), ARCHITECTURE, BRIEF)


def test_a_saved_detector_is_the_same_detector(net: SqueezeDet, images: torch.Tensor, tmp_path: Path) -> None:
    save_detector(net, tmp_path / "detector.safetensors", {"data": "rendered"})
    loaded, facts = load_detector(tmp_path / "detector.safetensors")
    assert facts == {"data": "rendered"}
    assert loaded.architecture == net.architecture
    assert torch.equal(loaded(images).deltas, net(images).deltas)
    with pytest.raises(FileNotFoundError, match="expected a detector file, got none there"):
        load_detector(tmp_path / "none")


_SCRIPT = """
import os, signal, sys, warnings
from pathlib import Path
from dataclasses import replace
import test_train
from test_train import ARCHITECTURE, SAMPLES
from wdrop.detect.training.train import train_detector
import torch

if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    folder, training, n_workers, dropout, killed_at = sys.argv[1:]
    def progress(done, total, losses):
        print(done, flush=True)
        if done == int(killed_at):
            os.kill(os.getpid(), signal.SIGKILL)
    training = replace(getattr(test_train, training), n_workers=int(n_workers))
    architecture = replace(ARCHITECTURE, dropout=float(dropout))
    train_detector(SAMPLES, architecture, training, folder=Path(folder), progress=progress)
    tasks = Path("/proc/self/task")  # Linux
    names = [path.read_text() for path in tasks.glob("*/comm")]
    assert not [name for name in names if "gloo" in name], names  # a thread left over can kill a process that ends
"""


def script(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A program that trains, and the environment to run it in: spawned workers must find it as a file."""
    path = tmp_path / "program.py"
    path.write_text(_SCRIPT)
    places = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    return path, os.environ | {
        "PYTHONPATH": os.pathsep.join(places), "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(tmp_path)
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_kill_9_with_workers_costs_nothing(tmp_path: Path) -> None:
    path, environment = script(tmp_path)
    folder = tmp_path / "run"
    at = random.choice([step for step in range(3, LONGER.n_steps) if (step - step % 2) % STEPS_PER_EPOCH])
    print(f"killed at step {at}")
    command = [sys.executable, str(path), str(folder), "LONGER", "1", "0.5", str(at)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr
    step = Checkpoint.steps_in(folder / CHECKPOINT_FILE)
    assert step == at - at % 2
    assert step % STEPS_PER_EPOCH  # in mid-epoch
    whole = train(LONGER)
    resumed = train(replace(LONGER, n_workers=1), folder)
    assert torch.equal(resumed.losses, whole.losses)
    assert equal(resumed.net, whole.net)


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_two_processes_that_share_a_batch_do_as_one(tmp_path: Path) -> None:
    """Killed on the way, too. Without dropout, as each draws masks of its own."""
    path, environment = script(tmp_path)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    for killed_at, steps in ((3, ["1", "2", "3"]), (0, ["3", "4", "5"])):  # the checkpoint was at 2
        command = [*torchrun, str(path), str(tmp_path / "run"), "PLAIN_SGD", "0", "0.0", str(killed_at)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert (done.returncode == 0) == (killed_at == 0), done.stderr
        assert done.stdout.split() == steps  # one process tells
    losses = read_tensors(tmp_path / "run" / CHECKPOINT_FILE, "detector checkpoint")[0]["losses"].float()

    def alone(rate: float) -> torch.Tensor:
        training = replace(PLAIN_SGD, optimisation=replace(PLAIN_SGD.optimisation, learning_rate=rate))
        return train_detector(SAMPLES, replace(ARCHITECTURE, dropout=0.0), training).losses

    rate = PLAIN_SGD.optimisation.learning_rate
    torch.testing.assert_close(losses, alone(rate), rtol=1e-3, atol=1e-4)
    assert not torch.allclose(losses, alone(rate / 2), rtol=1e-2)  # gradients half as large would show
