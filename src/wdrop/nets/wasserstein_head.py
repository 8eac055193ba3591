"""A last layer with dropout before it whose mean and std are known exactly, in one pass, on any backbone.

For y = Σ w x m/(1 - p) + b with m ~ Bernoulli(1 - p), unit by unit:

    mean = w·x + b,     variance = p/(1 - p) Σ w² x²

No approximation at any depth: what lies before is deterministic. A convolution behind element-wise dropout likewise,
with conv(x², w²) for the sum.
"""

from typing import NamedTuple, final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from wdrop._checks import probability


class Moments(NamedTuple):
    """Mean and std of the sub-networks, of one shape."""

    mean: Tensor
    std: Tensor


def dropout_std(sum_of_squares: Tensor, p: float) -> Tensor:
    """√(p/(1 - p) Σ w² x²); where the sum is 0 the gradient is 0, not NaN."""
    positive = sum_of_squares > 0
    root = torch.where(positive, sum_of_squares, 1.0).sqrt()
    return torch.where(positive, root * (p / (1 - p)) ** 0.5, 0.0)


@final
class WassersteinHead(nn.Module):
    """Dropout with rate p and a linear layer, as mean and std of all its sub-networks: (n, in) → two (n, out).

    Train it with `closed_form_loss(mean, std, y)`. The backbone must tell loud from quiet inputs by its features, as
    mean and std share them: give it a layer more than the mean alone would need.
    """

    def __init__(self, in_features: int, out_features: int, p: float = 0.1) -> None:
        super().__init__()
        probability(p=p)
        self.p = p
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x: Tensor) -> Moments:
        mean = self.linear(x)
        return Moments(mean, dropout_std(F.linear(x.square(), self.linear.weight.square()), self.p))

    def extra_repr(self) -> str:
        return f"p={self.p}"


@final
class WassersteinConv2d(nn.Module):
    """Element-wise dropout with rate p and a convolution, as mean and std: (n, in, h, w) → two (n, out, h', w')."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        p: float = 0.1,
        *,
        stride: int = 1,
        padding: int | str = 0,
    ) -> None:
        super().__init__()
        probability(p=p)
        self.p = p
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding)

    def forward(self, x: Tensor) -> Moments:
        conv = self.conv
        squares = F.conv2d(
            x.square(), conv.weight.square(), None, conv.stride, conv.padding, conv.dilation, conv.groups
        )
        return Moments(conv(x), dropout_std(squares, self.p))

    def extra_repr(self) -> str:
        return f"p={self.p}"
