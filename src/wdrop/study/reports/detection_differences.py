"""How a study of detectors differs from the paper."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from wdrop.study.plan import Run, Study

_DATA = {
    "kitti-mini": "kitti-mini is 1132 of KITTI's 7481 labelled frames, a sixth, rich in cyclists, split by drives "
    "into 509 for training and 623 for test, stored as JPEG of quality 50. The paper trains on 3622 frames.",
    "virtual_kitti": "virtual_kitti is a synthetic stand-in that the paper does not have: cars only.",
    "carla": "carla is a synthetic stand-in that the paper does not have: no pedestrians.",
    "rendered": "Rendered scenes are drawn by wdrop itself: a score on them says nothing about streets.",
}


def differences(study: Study, rows: pd.DataFrame) -> list[str]:
    """Data, training, the form of the recipe, and what the scores are in."""
    tested = dict.fromkeys([*rows["dataset"], *rows["tested_on"]])
    done = set(rows["key"])
    runs = [run for run in study.runs if run.key in done]
    settings = dict.fromkeys(_settings(run) for run in runs)
    backbones = ", ".join(sorted(set(map(str, rows["backbone"]))))
    return [
        *(_DATA[name] for name in tested if name in _DATA),
        f"Trained: {'; '.join(sorted(settings))}. Backbone: {backbones}. The paper: 672 x 384, 300,000 steps of "
        "SGD, batches of 20. Every variant starts from the same backbone; variants of a seed see the same pictures in "
        "the same order.",
        recipe([run.config()["method"] for run in runs]),
        "Pictures are resized to the input and boxes scaled back: errors and stds are in pixels of the stored picture. "
        "Ways to find boxes are never mixed in a table: clusters of draws also mix neighbouring anchors, so that their "
        "std is larger than the exact one of a single box.",
    ]


def recipe(methods: Sequence[dict[str, Any]]) -> str:
    """Which form of the recipe ran, and in what it differs from the published code."""
    losses = {method["training"]["loss"]["as_published"] for method in methods}
    findings = {method["inference"]["as_published"] for method in methods}
    deviations = []
    if False in findings:
        deviations.append("standard non-maximum suppression (removed boxes remove no others)")
    if False in losses:
        deviations += [
            "box extents without the extra pixel", "background anchors counted per image",
            "large boxes encoded as they are decoded",
        ]  # fmt: skip
    deviations.append("ECE from quantiles that are not rounded, but where the paper's stands beside it")
    if any(method["training"]["optimisation"]["algorithm"] == "adam" for method in methods):
        deviations.append("Adam for SGD")
    if any(method["training"]["bfloat16"] for method in methods):
        deviations.append("the backbone in bfloat16")
    forms = {frozenset({False}): "Our default form", frozenset({True}): "The published form"}
    form = forms.get(frozenset(losses | findings), "In part our default, in part the published form")
    return (
        f"{form} of the recipe ran. Unlike the published code: {', '.join(deviations)}. "
        'More in docs/detector.md, "Where it differs from the published code".'
    )


def _settings(run: Run) -> str:
    config = run.config()["method"]
    training = config["training"]
    rate = training["optimisation"]
    return (
        f"{run.dataset} at {config['width']} x {config['height']}, {training['n_steps']:,} steps of "
        f"{_NAMES.get(rate['algorithm'], rate['algorithm'])} from {rate['learning_rate']:g}, batches of "
        f"{training['batch_size']}"
    )


_NAMES = {"adam": "Adam", "sgd": "SGD"}
