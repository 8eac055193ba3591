"""ConvDet: dropout and one convolution that says, for each anchor, what it sees and where.

Channels of a cell: first n_classes logits for each of its shapes, then a confidence logit for each, then four deltas
for each. Only this file knows that order.

Boxes are learnt at few anchors, where an object is. Draws and moments of their deltas are computed from the 3x3 patches
of features below these anchors alone: patch times kernel is the mean, masked patch times kernel a draw, and the product
of their squares the variance.
"""

from typing import NamedTuple, final

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from wdrop._checks import probability
from wdrop.nets.masks import keep_mask
from wdrop.nets.wasserstein_head import Moments, dropout_std


class Scores(NamedTuple):
    """Logits of the classes (b, a, c) and of the confidence (b, a)."""

    classes: Tensor
    confidence: Tensor

    def best(self) -> tuple[Tensor, Tensor]:
        """The highest class probability times confidence (b, a), and that class (b, a)."""
        probability, label = self.classes.softmax(-1).max(-1)
        return probability * self.confidence.sigmoid(), label


class RawBoxes(NamedTuple):
    """What the network says of each anchor: scores, and deltas (b, a, 4)."""

    scores: Scores
    deltas: Tensor


@final
class ConvDet(nn.Module):
    """Element-wise dropout with rate p and a 3x3 convolution."""

    def __init__(self, in_channels: int, n_shapes: int, n_classes: int, p: float) -> None:
        super().__init__()
        probability(p=p)
        self.n_shapes, self.n_classes, self.p = n_shapes, n_classes, p
        self.conv = nn.Conv2d(in_channels, n_shapes * (n_classes + 5), 3, padding=1)

    def forward(self, x: Tensor) -> RawBoxes:
        """Scores and deltas of all anchors out of features (b, c, h, w), nothing dropped."""
        n_scores = self._n_score_channels
        output = self.conv(x)
        return RawBoxes(self._scores(output[:, :n_scores]), self._per_anchor(output[:, n_scores:], 4))

    def keep(self, x: Tensor, generator: Generator) -> Tensor:
        """A mask (b, h, w, c) for features (b, c, h, w)."""
        b, c, h, w = x.shape
        return keep_mask((b, h, w, c), self.p, generator, x.dtype)

    def dropped(self, x: Tensor, keep: Tensor) -> Tensor:
        """Features (b, c, h, w) under a mask (b, h, w, c), enlarged by 1/(1 - p)."""
        return x * (keep / (1 - self.p)).permute(0, 3, 1, 2)

    def scores(self, x: Tensor) -> Scores:
        """The scores of all anchors without their deltas, at two thirds of the price."""
        n_scores = self._n_score_channels
        return self._scores(F.conv2d(x, self.conv.weight[:n_scores], self._bias[:n_scores], padding=1))

    def patches(self, x: Tensor, image: Tensor, anchor: Tensor) -> Tensor:
        """The 3x3 neighbourhoods of these anchors' cells in x (b, h, w, c), 0 beyond the border: (n, 9c)."""
        b, h, w, c = x.shape
        cell = anchor // self.n_shapes
        around = torch.arange(-1, 2, device=x.device)
        row = (cell // w)[:, None, None] + around[:, None]
        column = (cell % w)[:, None, None] + around
        inside = (row >= 0) & (row < h) & (column >= 0) & (column < w)
        place = (image[:, None, None] * h + row.clamp(0, h - 1)) * w + column.clamp(0, w - 1)
        # rows of a matrix, since the gradient of index_select is quick and that of x[...] is not
        found = x.reshape(b * h * w, c).index_select(0, place.flatten()).view(-1, 9, c)
        return (found * inside.flatten(1)[:, :, None]).flatten(1)

    def drawn_deltas(self, patches: Tensor, keep: Tensor, anchor: Tensor) -> Tensor:
        """The deltas (s, n, 4) of s draws, under masks (s, n, 9c)."""
        return self._own(patches * keep @ (self._delta_kernels() / (1 - self.p)).T, anchor) + self._delta_bias(anchor)

    def delta_moments(self, patches: Tensor, anchor: Tensor) -> Moments:
        """Mean and std (n, 4) of the deltas over all masks, exactly."""
        mean = self._own(patches @ self._delta_kernels().T, anchor) + self._delta_bias(anchor)
        return Moments(mean, self.delta_std(patches, anchor))

    def delta_std(self, patches: Tensor, anchor: Tensor) -> Tensor:
        """The std (n, 4) of the deltas over all masks, exactly."""
        return dropout_std(self._own(patches.square() @ self._delta_kernels().square().T, anchor), self.p)

    @property
    def _n_score_channels(self) -> int:
        return self.n_shapes * (self.n_classes + 1)

    @property
    def _bias(self) -> Tensor:
        assert self.conv.bias is not None
        return self.conv.bias

    def _delta_kernels(self) -> Tensor:
        """(4k, 9c), in the order of `patches`."""
        return self.conv.weight[self._n_score_channels :].permute(0, 2, 3, 1).reshape(4 * self.n_shapes, -1)

    def _own(self, of_all_shapes: Tensor, anchor: Tensor) -> Tensor:
        """Of (..., n, 4k), the four of each anchor's shape: one product with all kernels is quicker than gathering."""
        shaped = of_all_shapes.unflatten(-1, (self.n_shapes, 4))
        return shaped[..., torch.arange(len(anchor), device=anchor.device), anchor % self.n_shapes, :]

    def _delta_bias(self, anchor: Tensor) -> Tensor:
        return self._bias[self._n_score_channels :].view(self.n_shapes, 4).index_select(0, anchor % self.n_shapes)

    def _scores(self, output: Tensor) -> Scores:
        n_logits = self.n_shapes * self.n_classes
        confidence = self._per_anchor(output[:, n_logits:], 1)
        return Scores(self._per_anchor(output[:, :n_logits], self.n_classes), confidence.squeeze(-1))

    def _per_anchor(self, output: Tensor, n_each: int) -> Tensor:
        """Channels (b, k·m, h, w) as a row of m for each anchor, (b, h·w·k, m)."""
        return output.permute(0, 2, 3, 1).reshape(len(output), -1, n_each)
