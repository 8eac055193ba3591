"""What a detection run trains and on what it is judged: it stands where a run on a table has its method."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, final

from wdrop._checks import at_least, known
from wdrop._config import build, merged
from wdrop.detect.data import DETECTION_DATASETS
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.anchors import grid_size
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.architectures import architecture_for
from wdrop.detect.network.squeezedet import Architecture
from wdrop.detect.scores.corruptions import CORRUPTIONS, PUBLISHED
from wdrop.detect.training.objective import LOSSES
from wdrop.detect.training.train import DetectorTraining
from wdrop.study.entries import listed, method_named, regime_of

PARTS = {"kitti-mini": "kitti"}
"""Parts of data sets that go round under names of their own, and the set whose layout they have."""


@final
@dataclass(frozen=True, kw_only=True)
class DetectorTask:
    """How a detector is trained, and judged on its own and on further data sets.

    width, height  of the network's input; SqueezeDet's anchors are scaled to the height
    backbone       a weights file by its name, or "any": the first that is found, random weights if there is none
    domains        data sets beside its own on whose test pictures it is judged
    corruptions    under which its own test pictures are judged once more, at severity 1
    n_looked       test pictures that are looked at before each checkpoint
    n_judged       pictures of each set that are judged, 0 for all
    n_repeats      of the bootstrap behind intervals
    """

    training: DetectorTraining = DetectorTraining()
    width: int = 336
    height: int = 192
    backbone: str = "any"
    inference: Inference = Inference()
    domains: Sequence[str] = ()
    corruptions: Sequence[str] = PUBLISHED
    n_looked: int = 48
    n_judged: int = 0
    n_repeats: int = 200

    def __post_init__(self) -> None:
        grid_size(Size(self.width, self.height))
        at_least(1, n_looked=self.n_looked)
        at_least(2, n_repeats=self.n_repeats)
        if self.inference.as_published and not self.training.loss.as_published:
            raise ValueError(
                "expected as_published in training.loss, got it in inference alone; set it there, inference follows"
            )
        for name in self.domains:
            known_detection_set(name)
        for name in self.corruptions:
            known("corruption", name, CORRUPTIONS)

    def judging(self, **protocol: Any) -> Inference:
        """How boxes are found by that protocol: as published if they were learnt so."""
        return replace(self.inference, as_published=self.training.loss.as_published, **protocol)

    def architecture(self, classes: Sequence[str]) -> Architecture:
        """The network for these classes."""
        return architecture_for(classes, Size(self.width, self.height))

    @property
    def cost(self) -> float:
        """A rough guess at how long it takes, in no unit: pixels seen in training."""
        return float(self.training.n_steps * self.training.batch_size * self.width * self.height)


TASK_KEYS = tuple(field.name for field in fields(DetectorTask))


@final
@dataclass(frozen=True)
class Planned:
    """A detection run as its group plans it."""

    dataset: str
    options: Mapping[str, Any]
    method_name: str
    variant: str
    seed: int
    task: DetectorTask


def planned(where: str, settings: Mapping[str, Any], regimes: Mapping[str, Any]) -> list[Planned]:
    """The runs of a group with `kind = "detection"`: seed after seed, so that methods can soon be compared.

    dataset, dataset_options, method (a loss, or a table with its `name`), seed: one or a list each; then the fields of
    `DetectorTask`.
    """
    for key in settings:
        known(f"key of {where}", key, ("kind", "dataset", "dataset_options", "method", "seed", *TASK_KEYS))
    axes = (
        listed(f"{where}.seed", settings.get("seed", 0), int),
        listed(f"{where}.dataset", settings["dataset"], str),
        listed(f"{where}.dataset_options", settings.get("dataset_options", {}), dict),
        listed(f"{where}.method", settings["method"], str, dict),
    )
    runs = []
    for seed, dataset, options, method in itertools.product(*axes):
        known_detection_set(dataset)
        for option in options:
            known(f"option of {dataset}", option, DETECTION_DATASETS[PARTS.get(dataset, dataset)].options)
        name, variant, chosen = method_named(f"{where}.method", method)
        known("loss", name, LOSSES)
        regime = regime_of(dataset, regimes)
        common = {key: value for key, value in settings.items() if key in TASK_KEYS}
        shared = {key: value for key, value in regime.items() if key in TASK_KEYS}
        table = merged(shared, common, chosen, {"training": {"loss": {"kind": name}, "seed": seed}})
        where_told = f"{where}.method {name!r}"
        training = build(DetectorTraining, table.pop("training"), f"{where_told}.training")
        task = replace(build(DetectorTask, table, where_told), training=training)
        runs.append(Planned(dataset, options, name, variant, seed, task))
    return runs


def known_detection_set(name: str) -> None:
    """Refuse a name that is no detection set's."""
    known("detection data set", name, detection_sets())


def detection_sets() -> tuple[str, ...]:
    """The names of all detection sets."""
    return (*DETECTION_DATASETS, *PARTS)
