"""SqueezeDet whose boxes carry uncertainty: what is needed to train, ask and judge one, by name."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wdrop.detect.data import load_detection
    from wdrop.detect.data.sample import Sample
    from wdrop.detect.data.source import Samples
    from wdrop.detect.data.thinned import Thinned
    from wdrop.detect.files.detector_file import load_detector, save_detector
    from wdrop.detect.finding.detections import Detections
    from wdrop.detect.finding.in_files import detect_in_file
    from wdrop.detect.finding.inference import Inference, detect
    from wdrop.detect.geometry.boxes import Size
    from wdrop.detect.network.architectures import architecture_for
    from wdrop.detect.network.squeezedet import Architecture, SqueezeDet
    from wdrop.detect.scores.corruptions import Corrupted
    from wdrop.detect.scores.evaluated import detections_of, evaluated
    from wdrop.detect.scores.judged import judged
    from wdrop.detect.training.augmentation import Augmentation
    from wdrop.detect.training.facts import detector_facts
    from wdrop.detect.training.objective import DetectionLoss
    from wdrop.detect.training.optimiser import Optimisation
    from wdrop.detect.training.to_file import train_to_file
    from wdrop.detect.training.train import DetectorTraining, Trained, train_detector

__all__ = [
    "Architecture",
    "Augmentation",
    "Corrupted",
    "DetectionLoss",
    "Detections",
    "DetectorTraining",
    "Inference",
    "Optimisation",
    "Sample",
    "Samples",
    "Size",
    "SqueezeDet",
    "Thinned",
    "Trained",
    "architecture_for",
    "detect",
    "detect_in_file",
    "detections_of",
    "detector_facts",
    "evaluated",
    "judged",
    "load_detection",
    "load_detector",
    "save_detector",
    "train_detector",
    "train_to_file",
]

# Nothing is imported until a name is used. A name here must not be that of a folder beside this file.
_HOME = {
    "Architecture": "wdrop.detect.network.squeezedet",
    "Augmentation": "wdrop.detect.training.augmentation",
    "Corrupted": "wdrop.detect.scores.corruptions",
    "DetectionLoss": "wdrop.detect.training.objective",
    "Detections": "wdrop.detect.finding.detections",
    "DetectorTraining": "wdrop.detect.training.train",
    "Inference": "wdrop.detect.finding.inference",
    "Optimisation": "wdrop.detect.training.optimiser",
    "Sample": "wdrop.detect.data.sample",
    "Samples": "wdrop.detect.data.source",
    "Size": "wdrop.detect.geometry.boxes",
    "SqueezeDet": "wdrop.detect.network.squeezedet",
    "Thinned": "wdrop.detect.data.thinned",
    "Trained": "wdrop.detect.training.train",
    "architecture_for": "wdrop.detect.network.architectures",
    "detect": "wdrop.detect.finding.inference",
    "detect_in_file": "wdrop.detect.finding.in_files",
    "detections_of": "wdrop.detect.scores.evaluated",
    "detector_facts": "wdrop.detect.training.facts",
    "evaluated": "wdrop.detect.scores.evaluated",
    "judged": "wdrop.detect.scores.judged",
    "load_detection": "wdrop.detect.data",
    "load_detector": "wdrop.detect.files.detector_file",
    "save_detector": "wdrop.detect.files.detector_file",
    "train_detector": "wdrop.detect.training.train",
    "train_to_file": "wdrop.detect.training.to_file",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wdrop.detect' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
