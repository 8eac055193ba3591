"""Dropout whose rate is learned.

Gal, Hron & Kendall, "Concrete Dropout", NeurIPS 2017: a mask between 0 and 1 that is differentiable in p,

    z = sigmoid((logit p + logit u)/t),   u ~ U(0, 1),   t = 0.1,   out = x (1 - z)/(1 - p)
"""

from typing import final

import torch
from torch import Tensor, nn

from wdrop._checks import probability
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import StackedDropout

TEMPERATURE = 0.1
_TINY = 1e-7  # inside every logarithm, as in the authors' code


def relaxed_mask(p: Tensor, u: Tensor) -> Tensor:
    """What is kept of each unit, between 0 and 1, out of uniform numbers."""
    logit = torch.log(p + _TINY) - torch.log(1 - p + _TINY) + torch.log(u + _TINY) - torch.log(1 - u + _TINY)
    return torch.sigmoid(-logit / TEMPERATURE)


@final
class ConcreteDropout(nn.Module):
    """Concrete dropout for a network of one's own; `draw`, `sample` and `predict` steer it like nn.Dropout."""

    def __init__(self, p: float = 0.1) -> None:
        super().__init__()
        probability(p=p)
        self.logit = nn.Parameter(torch.logit(torch.tensor(float(p)), eps=_TINY))

    @property
    def p(self) -> Tensor:
        return self.logit.sigmoid()

    def apply_mask(self, h: Tensor, u: Tensor) -> Tensor:
        p = self.p
        return h * relaxed_mask(p, u) / (1 - p)

    def forward(self, h: Tensor) -> Tensor:
        return self.apply_mask(h, torch.rand_like(h)) if self.training else h

    def extra_repr(self) -> str:
        return f"p={float(self.p.detach()):.3f}"


@final
class StackedConcreteDropout(StackedDropout):
    """Concrete dropout with a learned rate for each network of a stack."""

    def __init__(self, p: float, n_networks: int, dtype: torch.dtype) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.logit(torch.full((n_networks,), p, dtype=dtype), eps=_TINY))

    @property
    def rates(self) -> Tensor:
        """The drop rate of each network, (K,)."""
        return self.logits.sigmoid()

    def forward(self, a: Tensor, n_draws: int, masks: MaskStreams) -> Tensor:
        p = self.rates.view(-1, 1, 1, 1)
        u = masks.uniform((n_draws, *a.shape[2:]), a.dtype)
        return a.relu() * relaxed_mask(p, u) / (1 - p)

    def modules_of(self, k: int) -> list[nn.Module]:
        module = ConcreteDropout().to(self.logits.dtype)
        module.logit = nn.Parameter(self.logits[k].detach().cpu().clone())
        return [nn.ReLU(), module]
