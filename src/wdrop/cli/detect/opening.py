"""Data and detectors out of what was typed."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import torch

from wdrop.cli.detect.bars import logged, tell
from wdrop.detect.data.reading.judging import Bad
from wdrop.detect.data.rendered import RenderedSet
from wdrop.detect.data.source import DetectionSet, SplitName
from wdrop.detect.files.detector_file import load_detector
from wdrop.detect.files.pictures import open_pictures
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.training.to_file import is_first_process
from wdrop.nets.training import device_for


def opened(
    data: str, split: str, size: Size, *, folder: Path | None, n_pictures: int | None, bad: str, verify: bool
) -> DetectionSet | RenderedSet:
    """The pictures of that split, and on stderr what was left out of them."""
    first = is_first_process()
    with logged(shown=first):
        samples = open_pictures(
            data,
            cast(SplitName, split),
            size,
            folder=folder,
            n_scenes=n_pictures,
            bad=cast(Bad, bad),
            verify=verify,
        )
    if isinstance(samples, DetectionSet) and samples.tally.left_out_in_words and first:
        tell(f"{samples.name}, {split}: {samples.tally.left_out_in_words} left out")
    return samples


def inference_for(how: str, *, draws: int | None, clustering: str | None, top_n: int) -> Inference:
    """How boxes are found; what is told of draws is refused where nothing is drawn."""
    told = {"--draws": draws, "--clustering": clustering}
    unused = [f"{name} {value}" for name, value in told.items() if value is not None]
    if unused and how == "closed_form":
        raise ValueError(
            f"expected {' and '.join(told)} with --how samples only, got {' and '.join(unused)} with --how "
            "closed_form, which draws nothing; leave out one or the other"
        )
    usual = Inference(how=how, top_n=top_n)
    return replace(usual, n_draws=draws or usual.n_draws, clustering=clustering or usual.clustering)


def loaded(model: Path, device: str) -> tuple[SqueezeDet, dict[str, Any]]:
    """The detector on that device, and what is known of it."""
    place = checked_device(device)
    net, facts = load_detector(model)
    return net.to(device_for(place)), facts


def checked_device(device: str) -> str:
    """The device's name, refused in one line if torch does not know it or has none."""
    try:
        torch.empty(0, device=device_for(device))
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"expected a device that is here, got {device!r}: {str(error).splitlines()[0]}") from None
    return device
