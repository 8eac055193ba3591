"""What the detector's uncertainty costs, as ratios within one run: training steps, and inference after the backbone.

Half of the published size (336 x 192), batch 20 with 4.5 objects an image, one thread. Everything is timed in turns and
the medians are compared, since the machine's own speed drifts. The weights are random: how many boxes survive in a
draw, which clustering pays for, is printed. Pass `--full` for 672 x 384.
"""

import os
import sys
from collections.abc import Callable

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

import torch
from benchmarks._timing import conditions, medians
from torch import Tensor

from wdrop._random import generator_for
from wdrop.detect.finding.inference import Inference, clustered, drawn_boxes, one_pass
from wdrop.detect.geometry.anchors import KITTI_SHAPES, scaled_shapes
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import Architecture, SqueezeDet
from wdrop.detect.training.assign import Targets
from wdrop.detect.training.objective import DetectionLoss, TrainingLoss
from wdrop.detect.training.optimiser import Optimisation

CLASSES = ("pedestrian", "cyclist", "vehicle")
BATCH, N_TURNS = 20, 5


def detector(factor: float) -> SqueezeDet:
    size = Size(round(672 * factor), round(384 * factor))
    architecture = Architecture(classes=CLASSES, size=size, anchor_shapes=scaled_shapes(KITTI_SHAPES, factor))
    net = SqueezeDet(architecture, generator=generator_for("weights"))
    with torch.no_grad():
        # fresh scores are all alike, and the best anchors would be neighbours
        net.head.conv.weight.normal_(std=0.02, generator=generator_for("head"))
    return net


def batch(net: SqueezeDet) -> tuple[Tensor, Targets]:
    size, generator = net.architecture.size, generator_for("batch")
    images = torch.randint(256, (BATCH, 3, size.height, size.width), generator=generator).float()
    area = torch.tensor([size.width, size.height, size.width / 5, size.height / 5])
    boxes = [area * (0.1 + 0.8 * torch.rand(4 + i % 2, 4, generator=generator)) for i in range(BATCH)]
    classes = [torch.randint(3, (len(rows),), generator=generator) for rows in boxes]
    return images, Targets.of(boxes, classes, net.anchors)


def training_step(factor: float, kind: str) -> Callable[[], None]:
    net, recipe = detector(factor), Optimisation()
    loss, optimizer = TrainingLoss(net, DetectionLoss(kind=kind)), recipe.optimizer(net)
    images, targets = batch(net)
    generator = generator_for("masks")

    def run() -> None:
        optimizer.zero_grad()
        loss(images, targets, generator).total.backward()
        recipe.move(optimizer, 0, 100)

    return run


def inference_parts(factor: float) -> dict[str, Callable[[], object]]:
    net, draws, closed = detector(factor), Inference(), Inference(how="closed_form")
    images, _ = batch(net)
    size, image, generator = net.architecture.size, images[:1], generator_for("draws")
    with torch.no_grad():
        features = net.features(image)

    @torch.no_grad()
    def full_passes() -> None:
        for _ in range(draws.n_draws):
            x = net.features(image)
            net.head(net.head.dropped(x, net.head.keep(x, generator)))

    @torch.no_grad()
    def head_draws() -> None:
        net.features(image)
        for _ in range(draws.n_draws):
            net.head(net.head.dropped(features, net.head.keep(features, generator)))

    n_boxes = len(drawn_boxes(net, features, size, draws, generator=generator)[0]) / draws.n_draws
    print(f"boxes that survive in a draw: {n_boxes:.1f}")
    return {
        "50 full passes": full_passes,
        "backbone once, 50 draws of the head": head_draws,
        "after the backbone: 50 draws, NMS": lambda: drawn_boxes(net, features, size, draws, generator=generator),
        "after the backbone: 50 draws, NMS, k-means": lambda: clustered(
            net, features, size, draws, generator=generator
        ),
        "after the backbone: closed form, NMS": lambda: one_pass(net, features, size, closed),
    }


def milliseconds(contenders: dict[str, Callable[[], object]]) -> dict[str, float]:
    return {name: 1e3 * seconds for name, seconds in medians(contenders, N_TURNS).items()}


def main() -> None:
    torch.set_num_threads(1)
    factor = 1.0 if "--full" in sys.argv else 0.5
    print(f"{conditions(N_TURNS)}, {672 * factor:.0f} x {384 * factor:.0f}")
    steps = milliseconds({kind: training_step(factor, kind) for kind in ("mc", "wasserstein", "closed_form")})
    for kind, value in steps.items():
        print(f"training step, {kind:12} {value:8.0f} ms   {value / steps['mc']:5.2f} of mc")
    parts = milliseconds(inference_parts(factor))
    for name, value in parts.items():
        print(f"{name:45} {value:8.1f} ms")
    full, head, _, draws, closed = parts.values()
    print(f"50 full passes cost {full / head:.1f} times 50 draws of the head")
    print(f"50 draws with NMS and clusters cost {draws / closed:.0f} times the closed form with NMS")


if __name__ == "__main__":
    main()
