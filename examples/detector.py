"""Boxes with error bars: a small detector, trained for a moment on drawn street scenes, saved, loaded, and asked.

So few steps teach it little; the same lines with KITTI, 672 x 384 and more steps are the real thing: docs/detector.md.
"""

import tempfile
from pathlib import Path

from wdrop.detect import (
    DetectionLoss,
    DetectorTraining,
    Inference,
    Optimisation,
    Size,
    architecture_for,
    detections_of,
    detector_facts,
    judged,
    load_detection,
    load_detector,
    save_detector,
    train_detector,
)

SIZE = Size(96, 64)


def main(n_steps: int = 60) -> dict[str, float]:
    """Train, print what is found in one scene, and give the scores on a few others."""
    train = load_detection("rendered", "train", n_pictures=12, size=SIZE)
    test = load_detection("rendered", "test", n_pictures=6, size=SIZE)
    architecture = architecture_for(train.class_names, SIZE)
    training = DetectorTraining(
        loss=DetectionLoss(kind="closed_form"),  # "wasserstein" for the paper's draws, "mc" for its rival
        optimisation=Optimisation(algorithm="adam", learning_rate=1e-3),
        n_steps=n_steps,
        batch_size=4,
    )
    net = train_detector(train, architecture, training).net  # folder=... keeps checkpoints and goes on from them
    with tempfile.TemporaryDirectory() as folder:
        save_detector(net, Path(folder) / "model.safetensors", detector_facts(train, training))
        net, _ = load_detector(Path(folder) / "model.safetensors")
    inference = Inference(how="closed_form", top_n=16)  # one pass; "samples" draws and clusters, as published
    found, _ = next(iter(detections_of(net, test, inference)))
    for box, std in zip(found.boxes.mean[:3].tolist(), found.boxes.std[:3].tolist(), strict=True):
        print(", ".join(f"{name} {a:.1f} ± {b:.1f}" for name, a, b in zip("xywh", box, std, strict=True)))  # noqa: T201
    return judged(net, test, inference)


if __name__ == "__main__":
    print(main())  # noqa: T201
