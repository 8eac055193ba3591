"""Where a training stands, in one file: weights, the optimizer's moments, steps done, losses so far.

Random streams and the place in the epoch need no room: both follow from the seed and the step.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import torch
from torch import Tensor

from wdrop.detect.files.detector_file import fill
from wdrop.detect.files.tensor_file import read_tensors, write_tensors
from wdrop.detect.network.pretrained import freeze_first_layer
from wdrop.detect.network.squeezedet import SqueezeDet

_KIND = "detector checkpoint"
_READABLE = 150  # letters; two data sets with their fingerprints have a hundred


@final
@dataclass(frozen=True)
class Checkpoint:
    """A training at rest.

    run            what the training is known by; another one does not go on from here
    backbone       the digest of the weights file it began from; None: random weights
    backbone_file  that file's name
    losses         (steps, 3), box, confidence and classes at each step done
    """

    run: Mapping[str, Any]
    backbone: str | None
    backbone_file: str | None
    weights: dict[str, Tensor]
    moments: dict[str, Tensor]
    losses: Tensor
    first_layer_is_frozen: bool

    @property
    def step(self) -> int:
        return len(self.losses)

    @classmethod
    def of(
        cls,
        run: Mapping[str, Any],
        backbone: str | None,
        backbone_file: str | None,
        net: SqueezeDet,
        optimizer: torch.optim.Optimizer,
        losses: Tensor,
    ) -> "Checkpoint":
        moments = {
            f"{index}.{name}": value
            for index, state in optimizer.state_dict()["state"].items()
            for name, value in state.items()
        }
        frozen = not next(net.backbone.parameters()).requires_grad
        return cls(run, backbone, backbone_file, net.state_dict(), moments, losses, frozen)

    def write(self, path: Path) -> None:
        tensors = {f"weights.{name}": value for name, value in self.weights.items()}
        tensors |= {f"moments.{name}": value for name, value in self.moments.items()}
        description = {
            "run": self.run,
            "backbone": self.backbone,
            "backbone_file": self.backbone_file,
            "first_layer_is_frozen": self.first_layer_is_frozen,
        }
        write_tensors(path, tensors | {"losses": self.losses}, _KIND, description)

    @classmethod
    def read(cls, path: Path, run: Mapping[str, Any]) -> "Checkpoint":
        """The checkpoint in the file; that of another run is refused, with what differs."""
        tensors, description = read_tensors(path, _KIND)
        differences = list(_differences(description["run"], run))
        if differences:
            raise ValueError(
                f"{path}: expected a checkpoint of this training, got one with {', and '.join(differences)}; take "
                "another folder, or begin anew with --force in place of --resume (in Python, remove the file)"
            )
        weights, moments = _under("weights.", tensors), _under("moments.", tensors)
        return cls(
            run,
            description["backbone"],
            description.get("backbone_file", description["backbone"]),  # older checkpoints know the digest alone
            weights,
            moments,
            tensors["losses"],
            description["first_layer_is_frozen"],
        )

    @staticmethod
    def steps_in(path: Path) -> int:
        """How many steps the checkpoint in the file has done; 0 where there is none."""
        return len(read_tensors(path, _KIND)[0]["losses"]) if path.exists() else 0

    def restore_weights(self, net: SqueezeDet, path: Path) -> None:
        fill(net, self.weights, path)
        if self.first_layer_is_frozen:
            freeze_first_layer(net)

    def restore_moments(self, optimizer: torch.optim.Optimizer) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for key, value in self.moments.items():
            index, name = key.split(".", 1)
            # laid out as the weights are, or each step would be slower
            layout = torch.channels_last if value.ndim == 4 else torch.contiguous_format
            state.setdefault(int(index), {})[name] = value.contiguous(memory_format=layout)
        optimizer.load_state_dict(optimizer.state_dict() | {"state": state})


def _differences(there: Any, here: Any, name: str = "") -> Iterator[str]:
    """Entry by entry what is there and what is not, in tables within tables."""
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for key in sorted(there.keys() | here.keys()):
            yield from _differences(there.get(key), here.get(key), f"{name}.{key}" if name else key)
    elif there != here:
        told = f"{name} = {there}, not {here}"
        yield told if len(told) < _READABLE else f"other {name}"  # nine shapes of anchors, say


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
