from pathlib import Path

import pytest
import torch

from wdrop._random import generator_for
from wdrop.detect.architectures import architecture_for
from wdrop.detect.boxes import Size
from wdrop.detect.data import RenderedSet
from wdrop.detect.detector_file import load_detector
from wdrop.detect.to_file import train_to_file, training_folder
from wdrop.detect.train import DetectorTraining

SCENES = RenderedSet("train", 3, Size(64, 48))
ARCHITECTURE = architecture_for(SCENES.class_names, Size(64, 48), generator=generator_for("anchors"))
BRIEF = DetectorTraining(n_steps=2, batch_size=2, checkpoint_every=1, device="cpu")


@pytest.mark.filterwarnings("ignore:no pretrained backbone")
def test_a_training_ends_in_a_file_and_is_not_begun_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setattr("wdrop.detect.pretrained.cache_folder", lambda: tmp_path)
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
