"""What the detector's uncertainty costs, as ratios within one run: training steps, and inference after the backbone.

Half of the published size (336 x 192), batch 20 with 4.5 objects an image, one thread. Everything is timed in turns, in
processor time, and the medians are compared, since the machine's own speed drifts. The weights are random: how many
boxes survive in a draw, which clustering pays for, is told. `--full` takes 672 x 384.
"""

import os
from collections.abc import Callable, Mapping, Sequence

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

import torch
from benchmarks._results import keep, parser
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
from wdrop.report.tables import Table

CLASSES = ("pedestrian", "cyclist", "vehicle")
BATCH = 20


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


def training_steps(factor: float, n_turns: int) -> Table:
    """A training step of each loss, beside MC-SqueezeDet's."""
    kinds = {"MC-SqueezeDet": "mc", "W-SqueezeDet, L = 5": "wasserstein", "closed form": "closed_form"}
    milliseconds = _milliseconds({name: training_step(factor, kind) for name, kind in kinds.items()}, n_turns)
    base = next(iter(milliseconds.values()))
    rows = [[name, f"{value:.0f}", f"{value / base:.2f}"] for name, value in milliseconds.items()]
    return Table(f"A training step of {BATCH} pictures", ["loss", "ms", "times MC"], rows, _note(factor, n_turns))


def passes(factor: float, n_turns: int) -> Table:
    """The draws of a picture, with a backbone for each and with one for all."""
    net, draws, generator = detector(factor), Inference(), generator_for("draws")
    image = batch(net)[0][:1]

    @torch.no_grad()
    def full_passes() -> None:
        for _ in range(draws.n_draws):
            features = net.features(image)
            net.head(net.head.dropped(features, net.head.keep(features, generator)))

    @torch.no_grad()
    def head_draws() -> None:
        features = net.features(image)
        for _ in range(draws.n_draws):
            net.head(net.head.dropped(features, net.head.keep(features, generator)))

    ways = {f"{draws.n_draws} full passes": full_passes, f"backbone once, {draws.n_draws} draws": head_draws}
    return _quickened("The draws of a picture", _milliseconds(ways, n_turns), _note(factor, n_turns))


def after_the_backbone(factor: float, n_turns: int) -> Table:
    """From the backbone's features to boxes with a std, by draws and in one pass."""
    net, draws, closed = detector(factor), Inference(), Inference(how="closed_form")
    size, generator = net.architecture.size, generator_for("draws")
    with torch.no_grad():
        features = net.features(batch(net)[0][:1])
    n_boxes = len(drawn_boxes(net, features, size, draws, generator=generator)[0]) / draws.n_draws
    ways = {
        f"{draws.n_draws} draws, NMS, k-means": lambda: clustered(net, features, size, draws, generator=generator),
        f"{draws.n_draws} draws, NMS": lambda: drawn_boxes(net, features, size, draws, generator=generator),
        "closed form, NMS": lambda: one_pass(net, features, size, closed),
    }
    note = f"{_note(factor, n_turns)} In a draw {n_boxes:.1f} boxes survive."
    return _quickened("Boxes of a picture, after the backbone", _milliseconds(ways, n_turns), note)


def _quickened(title: str, milliseconds: Mapping[str, float], note: str) -> Table:
    base = next(iter(milliseconds.values()))
    rows = [[name, f"{value:.1f}", f"{base / value:.1f}"] for name, value in milliseconds.items()]
    return Table(title, ["way", "ms", "times as fast"], rows, note)


def _milliseconds(contenders: Mapping[str, Callable[[], object]], n_turns: int) -> dict[str, float]:
    return {name: 1e3 * seconds for name, seconds in medians(contenders, n_turns).items()}


def _note(factor: float, n_turns: int) -> str:
    return f"{672 * factor:.0f} x {384 * factor:.0f}, {conditions(n_turns)}."


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--full", action="store_true", help="672 x 384, as published")
    chosen = options.parse_args(arguments)
    torch.set_num_threads(1)
    factor = 1.0 if chosen.full else 0.5
    tables = [measure(factor, chosen.turns) for measure in (training_steps, passes, after_the_backbone)]
    keep("detector_full" if chosen.full else "detector", tables, chosen.out)


if __name__ == "__main__":
    main()
