from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from wdrop._random import generator_for
from wdrop.detect.finding.in_files import detect_in_file
from wdrop.detect.finding.inference import Inference, detect
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet

ONE_PASS = Inference(how="closed_form", top_n=12)


@pytest.fixture
def pixels() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)


def test_boxes_come_best_first_and_not_below_the_score(
    net: SqueezeDet, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], tmp_path: Path
) -> None:
    Image.fromarray(pixels).save(tmp_path / "a.png")
    everything, sample = detect_in_file(net, tmp_path / "a.png", ONE_PASS)
    assert sample.size == (64, 48)
    assert torch.equal(everything.scores, everything.scores.sort(descending=True).values)
    limit = float(everything.scores[2])
    some, _ = detect_in_file(net, tmp_path / "a.png", ONE_PASS, min_score=limit)
    assert len(some) == int((everything.scores >= limit).sum()) < len(everything)
    assert torch.equal(some.boxes.std, everything.boxes.std[: len(some)])


def test_boxes_that_clipping_left_nothing_of_are_none(
    net: SqueezeDet, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], tmp_path: Path
) -> None:
    Image.fromarray(pixels).save(tmp_path / "a.png")
    assert net.head.conv.bias is not None
    with torch.no_grad():
        net.head.conv.bias[-4:-2] = 100.0  # the last shape's boxes all lie beyond the border
    every = replace(ONE_PASS, top_n=100_000)
    with torch.no_grad():
        image = torch.from_numpy(pixels).permute(2, 0, 1)
        found = detect(net, image, Size(64, 48), every, generator=generator_for("none"))
    n_empty = int((found.boxes.mean[:, 2:] < 0.1).any(1).sum())
    kept, _ = detect_in_file(net, tmp_path / "a.png", every)
    assert n_empty > 0
    assert len(kept) == len(found) - n_empty > 0


@pytest.mark.parametrize("score", [float("nan"), -0.1, 7.0])
def test_scores_that_no_box_can_have_are_refused(score: float, net: SqueezeDet, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a lowest score from 0 to 1, got"):
        detect_in_file(net, tmp_path / "a.png", ONE_PASS, min_score=score)


def test_the_middle_of_a_wide_picture_is_found_where_it_lies(
    net: SqueezeDet, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], tmp_path: Path
) -> None:
    wide = np.zeros((48, 164, 3), dtype=np.uint8)
    wide[:, 50:114] = pixels
    Image.fromarray(pixels).save(tmp_path / "a.png")
    Image.fromarray(wide).save(tmp_path / "wide.png")
    alone, _ = detect_in_file(net, tmp_path / "a.png", ONE_PASS)
    within, whole = detect_in_file(net, tmp_path / "wide.png", ONE_PASS, crop=True)
    assert whole.size == (164, 48)
    torch.testing.assert_close(within.boxes.mean, alone.boxes.mean + torch.tensor([50.0, 0, 0, 0]))
    squeezed, _ = detect_in_file(net, tmp_path / "wide.png", ONE_PASS)
    assert not torch.equal(squeezed.boxes.mean[:1], within.boxes.mean[:1])


def test_draws_depend_on_the_seed_alone(
    net: SqueezeDet, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], tmp_path: Path
) -> None:
    Image.fromarray(pixels).save(tmp_path / "a.png")
    drawn = Inference(n_draws=4, top_n=8, smallest=2)
    first, again, other = (detect_in_file(net, tmp_path / "a.png", drawn, seed=seed)[0] for seed in (0, 0, 1))
    assert torch.equal(first.boxes.mean, again.boxes.mean)
    assert not torch.equal(first.scores, other.scores)


def test_a_file_that_is_no_picture_is_named(net: SqueezeDet, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"a.jpg: expected a picture, got a file that cannot be read as one"):
        detect_in_file(net, tmp_path / "a.jpg", ONE_PASS)
