"""Data and detectors out of what was typed."""

from pathlib import Path
from typing import Any

import torch

from wdrop._checks import known
from wdrop.cli.detect.bars import tell
from wdrop.detect.data.named import open_set
from wdrop.detect.data.source import SPLITS, DetectionSet, Samples, SplitName
from wdrop.detect.data.thinned import Thinned
from wdrop.detect.files.detector_file import load_detector
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.training.to_file import is_first_process
from wdrop.nets.training import device_for


def opened(data: str, split: SplitName, folder: Path | None, n_pictures: int | None, size: Size) -> Samples:
    """The pictures of that split, at most so many, as a network with that input sees them."""
    known("split", split, SPLITS)
    if data == "rendered" and n_pictures:
        return open_set(data, split, folder=folder, n_pictures=n_pictures)
    samples = open_set(data, split, folder=folder, input_size=size)
    if isinstance(samples, DetectionSet) and samples.tally.left_out_in_words and is_first_process():
        tell(f"{samples.name}, {split}: {samples.tally.left_out_in_words} left out")
    return Thinned(samples, n_pictures) if n_pictures else samples


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
