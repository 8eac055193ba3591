"""Training a detector: to the end, or on from where a kill left it, in one process or in many."""

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, final

import torch
from torch import Tensor

from wdrop._checks import at_least
from wdrop._memory import large_blocks_kept
from wdrop._random import generator_for
from wdrop.detect.data.source import Samples
from wdrop.detect.files.detector_file import architecture_table
from wdrop.detect.network.pretrained import load_backbone
from wdrop.detect.network.squeezedet import Architecture, SqueezeDet
from wdrop.detect.training.augmentation import Augmentation
from wdrop.detect.training.batches import Batch, Order, batches
from wdrop.detect.training.checkpoint import Checkpoint
from wdrop.detect.training.objective import DetectionLoss, TrainingLoss
from wdrop.detect.training.optimiser import Optimisation
from wdrop.detect.training.processes import Processes, processes
from wdrop.nets.training import device_for

CHECKPOINT_FILE = "checkpoint.safetensors"
TRAJECTORY_FILE = "trajectory.json"  # of the looks, which goes with its checkpoint

_PARTS = ("box", "confidence", "classes")
_log = logging.getLogger(__name__)

Progress = Callable[[int, int, Mapping[str, float]], None]
"""Told at each step: steps done, steps in all, the parts of the loss."""

Look = Callable[[SqueezeDet, int], None]
"""Told after each checkpoint, and once more by a training that goes on from one, since a kill may have come in between:
the network (not to be changed), steps done."""


@final
@dataclass(frozen=True, kw_only=True)
class DetectorTraining:
    """How a detector is trained; the defaults are published, but for the number of steps.

    The paper makes 300,000 steps, of which those after 120,000 hardly move anything: the rate has been halved twelve
    times by then. `bfloat16` runs the backbone with numbers of half the size: on GPUs, and on CPUs with AVX-512 BF16 or
    AMX, where a step takes 0.6 of the time; other CPUs are slower. When a training goes on, `n_workers`,
    `checkpoint_every` and `device` may differ.
    """

    loss: DetectionLoss = DetectionLoss()
    optimisation: Optimisation = Optimisation()
    augmentation: Augmentation | None = Augmentation()
    n_steps: int = 120_000
    batch_size: int = 20
    seed: int = 0
    bfloat16: bool = False
    n_workers: int = field(default=0, metadata={"free": True})
    checkpoint_every: int = field(default=500, metadata={"free": True})
    device: str = field(default="auto", metadata={"free": True})

    def __post_init__(self) -> None:
        at_least(1, n_steps=self.n_steps, batch_size=self.batch_size, checkpoint_every=self.checkpoint_every)
        at_least(0, n_workers=self.n_workers)


@final
@dataclass(frozen=True, eq=False)
class Trained:
    """A detector in eval mode on the CPU, its losses (steps, 3): box, confidence, classes, and what it began from.

    backbone  the weights file's name; None: random weights
    """

    net: SqueezeDet
    losses: Tensor
    backbone: str | None


def train_detector(
    samples: Samples,
    architecture: Architecture,
    training: DetectorTraining,
    *,
    folder: Path | None = None,
    anew: bool = False,
    weights: Path | None = None,
    progress: Progress = lambda done, total, losses: None,
    look: Look = lambda net, done: None,
) -> Trained:
    """The detector trained on these samples.

    folder   where checkpoints go; if one of this very training is there, it goes on from it, and on a CPU ends
             with the same weights as if nothing had happened (some kernels of GPUs are not deterministic). None keeps
             none.
    anew     begins at step 0, whatever is there; the first new checkpoint takes the place of the old one, so that a
             training that is refused, or whose losses run away before, costs nothing
    weights  a backbone's file, see `load_backbone`

    Under `torchrun` all its processes share each batch, and the first one writes and tells. At each checkpoint a line
    goes to `logging`, at level INFO.
    """
    _check(samples, architecture)
    with processes(device_for(training.device)) as group, large_blocks_kept():
        run = _Run(samples, architecture, training, group, folder, weights, anew=anew)
        run.go(progress, look)
        return Trained(run.net.to("cpu").eval(), torch.tensor(run.losses).view(-1, 3), run.backbone_file)


class _Run:
    """A training under way."""

    def __init__(
        self,
        samples: Samples,
        architecture: Architecture,
        training: DetectorTraining,
        group: Processes,
        folder: Path | None,
        weights: Path | None,
        *,
        anew: bool,
    ) -> None:
        self.samples, self.training, self.group = samples, training, group
        self.order = Order(len(samples), training.batch_size, training.seed, group.rank, group.n)
        self.path = None if folder is None else folder / CHECKPOINT_FILE
        self.forgets = anew
        self.known_by = _known_by(samples, architecture, training, group)
        self.net = SqueezeDet(architecture, generator=generator_for(training.seed, "weights"))
        before = None
        if self.path is not None and self.path.exists() and not anew:
            before = Checkpoint.read(self.path, self.known_by)
            _check_backbone(self.path, before.backbone, weights)
            before.restore_weights(self.net, self.path)
            self.backbone, self.backbone_file = before.backbone, before.backbone_file
        else:
            found = load_backbone(self.net, weights)
            self.backbone, self.backbone_file = (None, None) if found is None else (_digest(found), found.name)
        self.net.to(group.device).train()
        self.optimizer = training.optimisation.optimizer(self.net)
        if before is not None:
            before.restore_moments(self.optimizer)
        self.losses: list[list[float]] = [] if before is None else before.losses.tolist()
        self.loss = group.share(TrainingLoss(self.net, training.loss, bfloat16=training.bfloat16))

    def go(self, progress: Progress, look: Look) -> None:
        total = self.training.n_steps
        if self.losses:
            self._show(look)
        begun, start = len(self.losses), time.monotonic()
        for batch in self._batches():
            terms = self._step(batch)
            self.losses.append(terms)
            done = len(self.losses)
            if done % self.training.checkpoint_every == 0 or done == total:
                self._rest(look)
                if self.group.is_first:
                    _log.info("%s", self._in_words((total - done) * (time.monotonic() - start) / (done - begun)))
            if self.group.is_first:
                progress(done, total, dict(zip(_PARTS, terms, strict=True)))

    def _batches(self) -> Any:
        training, architecture = self.training, self.net.architecture
        return batches(
            self.samples,
            architecture,
            self.order,
            first=len(self.losses),
            end=training.n_steps,
            augmentation=training.augmentation,
            inclusive=training.loss.as_published,
            n_workers=training.n_workers,
        )

    def _step(self, batch: Batch) -> list[float]:
        """One step, and the parts of its loss."""
        step, device = len(self.losses), self.group.device
        masks = generator_for(self.training.seed, "masks", step, self.group.rank, device=device)
        counts = self.group.counts(len(batch.images), len(batch.targets))
        self.optimizer.zero_grad()
        terms = self.loss(batch.images.to(device), batch.targets.to(device), masks, counts)
        terms.total.backward()
        self.training.optimisation.move(self.optimizer, step, self.training.n_steps)
        values = self.group.mean(torch.stack(list(terms)).detach()).tolist()
        if not all(abs(value) < float("inf") for value in values):
            raise FloatingPointError(f"expected finite losses, got {values} at step {step}; lower the learning rate")
        return values

    def _in_words(self, seconds_to_go: float) -> str:
        """How far the training is: the losses are means since the checkpoint before."""
        done, every = len(self.losses), self.training.checkpoint_every
        means = torch.tensor(self.losses[(done - 1) // every * every :]).mean(0).tolist()
        parts = ", ".join(f"{name} {mean:.3f}" for name, mean in zip(_PARTS, means, strict=True))
        to_go = timedelta(seconds=round(seconds_to_go))
        return f"step {done:,} of {self.training.n_steps:,}: {parts}; {to_go} to go"

    def _rest(self, look: Look) -> None:
        """Write first: a look that fails, as at a damaged picture, costs no step."""
        if self.group.is_first and self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.forgets:  # before the checkpoint, or a kill in between would leave it with the scores of another
                self.path.with_name(TRAJECTORY_FILE).unlink(missing_ok=True)
                self.forgets = False
            losses = torch.tensor(self.losses, dtype=torch.float64)
            Checkpoint.of(self.known_by, self.backbone, self.backbone_file, self.net, self.optimizer, losses).write(
                self.path
            )
        self._show(look)

    def _show(self, look: Look) -> None:
        if self.group.is_first:
            self.net.eval()
            look(self.net, len(self.losses))
            self.net.train()
        self.group.wait()


def _check(samples: Samples, architecture: Architecture) -> None:
    if len(samples) == 0:
        raise ValueError(f"{samples.name}: expected at least one picture to train on, got none")
    if tuple(samples.class_names) != architecture.classes:
        raise ValueError(
            f"{samples.name}: expected its classes {tuple(samples.class_names)} in the architecture, "
            f"got {architecture.classes}"
        )


def _check_backbone(checkpoint: Path, began_from: str | None, weights: Path | None) -> None:
    """Refuse weights that are named and would not be used: a training that goes on has its own."""
    if weights is not None and _digest(weights) != began_from:
        raise ValueError(
            f"{checkpoint}: expected a training that began from {weights}, got one from "
            f"{'random weights' if began_from is None else 'another file'}; name no weights to go on, or begin anew"
        )


def _digest(path: Path) -> str:
    if not path.is_file():
        raise FileNotFoundError(f"{path}: expected a weights file, got none there")
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _known_by(
    samples: Samples, architecture: Architecture, training: DetectorTraining, group: Processes
) -> dict[str, Any]:
    """What makes the training this one: all but how fast and where it runs."""
    free = {name for name, entry in training.__dataclass_fields__.items() if entry.metadata.get("free")}
    table = {name: value for name, value in asdict(training).items() if name not in free}
    if training.augmentation is not None:
        table["augmentation"] = {**table["augmentation"], "max_shift": list(training.augmentation.max_shift)}
    return {
        **table,
        "architecture": architecture_table(architecture),
        "data": f"{samples.name}, {len(samples)} pictures, fingerprint {samples.fingerprint}",
        "n_processes": group.n,  # masks are drawn process by process
    }
