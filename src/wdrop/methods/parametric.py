"""What the methods have in common whose network puts out mean and variance: `pu`, `pu_ensemble`, `pu_mc`."""

from torch import Tensor

from wdrop.losses.gaussian import gaussian_nll, published_gaussian_nll
from wdrop.nets.heads import gaussian_head, published_gaussian_head
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import Stack
from wdrop.nets.training import StackLoss


def parametric_loss(as_published: bool) -> StackLoss:
    """Gaussian likelihood of one sub-network per point (of the network itself, where it has no dropout)."""

    def loss(stack: Stack, x: Tensor, y: Tensor, masks: MaskStreams) -> Tensor:
        raw = stack.draw(x, 1, masks).squeeze(0)
        if as_published:
            return published_gaussian_nll(*published_gaussian_head(raw), y)
        return gaussian_nll(*gaussian_head(raw), y)

    return loss


def mean_and_variance(raw: Tensor, as_published: bool) -> tuple[Tensor, Tensor]:
    """What the raw outputs (..., 2 d) say.

    As published, the variance has no floor in training. The 5e-11 added here make twice the variance what the paper's
    likelihood divides by; its WS and ETL divide by σ + 1e-10 instead, and can be larger still.
    """
    if as_published:
        mean, std = published_gaussian_head(raw)
        return mean, std.square() + 5e-11
    return gaussian_head(raw)
