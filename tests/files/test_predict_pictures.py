import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from wdrop._random import generator_for
from wdrop.detect.files.detector_file import save_detector
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.architectures import architecture_for
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.files.predict_pictures import Drawn, predict_pictures

ONE_PASS = Inference(how="closed_form", top_n=8)


def untrained(folder: Path) -> Path:
    """A detector's file with random weights."""
    save_detector(
        SqueezeDet(architecture_for(("car",), Size(64, 48)), generator=generator_for("net")), folder / "model"
    )
    return folder / "model"


def test_a_folder_stands_for_the_pictures_in_it(tmp_path: Path) -> None:
    model, folder = untrained(tmp_path), tmp_path / "pictures"
    (folder / "within").mkdir(parents=True)
    for name in ("b.JPG", "a.png", "within/c.png"):
        Image.new("RGB", (64, 48)).save(folder / name)
    (folder / "notes.txt").write_text("no picture")
    (folder / "._a.png").write_bytes(b"what a Mac knows of it")
    Image.new("RGB", (64, 48)).save(tmp_path / "alone.png")
    told: list[Path] = []
    predict_pictures(
        model,
        [tmp_path / "alone.png", folder],
        tmp_path / "out",
        ONE_PASS,
        progress=lambda done, total, drawn: told.append(drawn.picture),
    )
    assert told == [tmp_path / "alone.png", folder / "a.png", folder / "b.JPG"]


def test_a_folder_without_pictures_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        FileNotFoundError, match=r"empty: expected pictures in the folder \(.png, .jpg, .jpeg\), found none"
    ):
        predict_pictures(untrained(tmp_path), [tmp_path / "empty"], tmp_path / "out", ONE_PASS)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("facts", [{"crop": True}, {"crop": False}, {}])
def test_pictures_are_looked_at_as_in_training(facts: dict[str, Any], tmp_path: Path) -> None:
    architecture = architecture_for(("car",), Size(64, 48))
    save_detector(SqueezeDet(architecture, generator=generator_for("net")), tmp_path / "model", facts)
    wide = np.random.default_rng(0).integers(0, 256, (48, 164, 3), dtype=np.uint8)
    Image.fromarray(wide).save(tmp_path / "wide.png")
    told: list[Drawn] = []

    def boxes(name: str, crop: bool | None) -> list[dict[str, Any]]:
        table = predict_pictures(
            tmp_path / "model",
            [tmp_path / "wide.png"],
            tmp_path / name,
            ONE_PASS,
            crop=crop,
            min_score=0,
            progress=lambda done, total, drawn: told.append(drawn),
        )
        return json.loads(table.read_text())["annotations"]

    as_trained, cropped, whole = (boxes(str(crop), crop) for crop in (None, True, False))
    assert as_trained == (cropped if facts.get("crop") else whole)
    assert cropped != whole
    assert [drawn.n_boxes for drawn in told] == [len(as_trained), len(cropped), len(whole)]
    assert all(drawn.place.is_file() for drawn in told)
