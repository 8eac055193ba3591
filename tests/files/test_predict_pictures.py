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
