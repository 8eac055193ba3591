"""What is worth knowing of a detector, for its file."""

from dataclasses import asdict
from typing import Any

from wdrop._version import __version__
from wdrop.detect.data.facts import FACTS
from wdrop.detect.data.source import Samples
from wdrop.detect.training.train import DetectorTraining


def detector_facts(samples: Samples, training: DetectorTraining) -> dict[str, Any]:
    """How a detector was trained, on what, under which licence.

    crop          whether it saw only the middle of each picture, in the shape of its input: so it is to be asked, too
    as_published  whether it learnt as in the published code: so it is to be judged, see `Inference`
    """
    table = asdict(training)
    if training.augmentation is not None:
        table["augmentation"]["max_shift"] = list(training.augmentation.max_shift)
    home = samples.name.partition("-")[0]  # kitti of kitti-mini, which is a part of it
    return {
        "data": samples.name,
        "n_pictures": len(samples),
        "crop": samples.crop is not None,
        "as_published": training.loss.as_published,
        "licence_of_data": FACTS[home].licence if home in FACTS else "see the data's home",
        "training": table,
        "wdrop": __version__,
    }
