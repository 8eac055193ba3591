"""One deterministic pass, as plain as it gets: no gradients, eval mode, rows in chunks."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

CHUNK_ROWS = 2048  # enough to feed the matrix products; more leave the cache


@torch.no_grad()
def forward(net: nn.Module, x: Tensor) -> Tensor:
    """The network's output at every row of x, with all its modules in eval mode; the modes are restored."""
    with in_eval_mode(net):
        return torch.cat([net(rows) for rows in x.split(CHUNK_ROWS)])


@contextmanager
def in_eval_mode(net: nn.Module) -> Iterator[None]:
    """While open, every module is in eval mode; then each is as before, also after an error."""
    modes = {module: module.training for module in net.modules()}
    try:
        net.eval()
        yield
    finally:
        for module, mode in modes.items():
            module.training = mode
