"""Several processes that share a batch, as `torchrun` starts them; without it, this one alone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, final

import torch
import torch.distributed as dist

# Its functions keep the group that exists when they are read as their default. Read later, as by the first optimizer,
# they would keep our group for ever, and a thread of it that wakes while the interpreter ends kills the process.
import torch.distributed.nn.functional
from torch import nn

from wdrop.detect.training.losses import BatchCounts


@final
@dataclass(frozen=True)
class Processes:
    """How many there are, which is this, and its device."""

    n: int
    rank: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def counts(self, n_images: int, n_objects: int) -> BatchCounts:
        """Images and objects of the whole batch."""
        if self.n == 1:
            return BatchCounts(n_images, n_objects)
        total = torch.tensor([n_images, n_objects], device=self.device)
        dist.all_reduce(total)
        return BatchCounts(int(total[0]), int(total[1]))

    def share(self, module: nn.Module) -> nn.Module:
        """The module whose gradients are averaged over all processes."""
        return module if self.n == 1 else nn.parallel.DistributedDataParallel(module)

    def mean(self, values: torch.Tensor) -> torch.Tensor:
        """The mean of all processes' values."""
        if self.n > 1:
            dist.all_reduce(values)
        return values / self.n

    def wait(self) -> None:
        """Until all are here."""
        if self.n > 1:
            dist.barrier()


@contextmanager
def processes(device: torch.device) -> Iterator[Processes]:
    """The processes of this run; each takes a GPU of its own if the device is one."""
    n = int(os.environ.get("WORLD_SIZE", "1"))
    if n == 1:
        yield Processes(1, 0, device)
        return
    options: dict[str, Any] = {}
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
        options["device_id"] = device
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo", **options)
    try:
        yield Processes(n, dist.get_rank(), device)
    finally:
        dist.destroy_process_group()
