"""Two sweeps over a chain: means and marginal variances on the way up, what reaches the outputs on the way down.

On the way up every step knows the mean and the variance of its own units, as if they were independent of each other.
On the way down, for each output, u is what a deviation of a unit does to that output:

    u below a linear layer  = Wᵀ u          u below a unit = gate · u
    Var(output)             = Σ over all units of u² · injected variance

Each unit gives what arises in it; what it merely passes on is counted where it arose, with all its correlations.
Exact for one hidden layer, and for any depth where dropout stands before the last linear layer only.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from wdrop.moments.chain import Linear, Scale, Step, Units
from wdrop.moments.products import squares_product, weighted_squares
from wdrop.nets.wasserstein_head import Moments, dropout_std


class _Source(NamedTuple):
    """What one step of units does on the way down.

    gate      (K, b, w), None: 1
    injected  (K, b, w), the variance that arises here, None: none
    dropped   (K, b, w) where units of known value are dropped: the variance is odds · dropped²
    """

    gate: Tensor | None
    injected: Tensor | None = None
    dropped: Tensor | None = None
    odds: float = 0.0


def chain_moments(steps: Sequence[Step], x: Tensor) -> Moments:
    """Mean and std of every output, x (K, b, f) → two (K, b, d)."""
    mean, _, sources = _up(steps, x, to_the_end=False)
    return Moments(mean, _root(_down(steps, sources, mean)))


def diagonal_chain_moments(steps: Sequence[Step], x: Tensor) -> Moments:
    """The same by the way up alone: all units count as independent, which they are not. For comparison."""
    mean, variance, _ = _up(steps, x, to_the_end=True)
    return Moments(mean, _root(torch.zeros_like(mean) if variance is None else variance))


def _root(variance: Tensor) -> Tensor:
    return dropout_std(variance, 0.5)  # of odds 1


def _up(steps: Sequence[Step], x: Tensor, *, to_the_end: bool) -> tuple[Tensor, Tensor | None, list[_Source]]:
    """Mean and marginal variance of the outputs, and the sources on the way. Variance None: the value is known."""
    last = max((i for i, step in enumerate(steps) if isinstance(step, Units)), default=-1)
    sources: list[_Source] = []
    mean, variance = x, None
    known: _Source | None = None  # dropped units of known value: their variance is not written out if a product follows
    for i, step in enumerate(steps):
        wanted = to_the_end or i < last
        if isinstance(step, Linear):
            if wanted and known is not None:
                assert known.dropped is not None
                variance = squares_product(known.dropped, step.weight.expand(len(mean), -1, -1), known.odds)
            elif wanted and variance is not None:
                variance = torch.bmm(variance, step.weight.square())
            mean, known = _affine(mean, step), None
            continue
        if known is not None and wanted:
            assert known.dropped is not None
            variance = known.odds * known.dropped.square()
        known = None
        if isinstance(step, Scale):
            mean = mean * step.factor + step.shift
            variance = None if variance is None else variance * step.factor.square()
        elif variance is None:
            # while all is known nothing arises below, and no gate is asked for
            mean = step.activation.value(mean.clone() if mean is x else mean)  # x is the caller's
            known = _Source(None, dropped=mean, odds=step.odds) if step.p > 0 else None
            if known is not None:
                sources.append(known)
        else:
            mean, gate, injected = step.activation.passed(mean, variance, step.odds)
            sources.append(_Source(gate, injected))
            if wanted:
                variance = injected + (variance if gate is None else gate.square() * variance)
    return mean, variance, sources


def _affine(h: Tensor, layer: Linear) -> Tensor:
    product = torch.bmm(h, layer.weight)
    return product if layer.bias is None else product.add_(layer.bias)


def _down(steps: Sequence[Step], sources: Sequence[_Source], mean: Tensor) -> Tensor:
    """The variance of every output, (K, b, d)."""
    n_outputs = mean.shape[-1]
    total: Tensor | None = None
    # (1 or K, d, 1 or b, w); one row serves all points until the first gate
    u = torch.eye(n_outputs, dtype=mean.dtype, device=mean.device).view(1, n_outputs, 1, n_outputs)
    left = list(sources)
    for i, step in reversed(list(enumerate(steps))):
        if not left:
            break
        if isinstance(step, Linear):
            u = step.weight.transpose(1, 2).unsqueeze(2) if i == len(steps) - 1 else _pulled(u, step.weight)
        elif isinstance(step, Scale):
            u = u * step.factor.unsqueeze(1)
        else:
            source = left.pop()
            part = _contribution(u, source)
            if part is not None:
                total = part if total is None else total + part
            if left and source.gate is not None:
                u = u * source.gate.unsqueeze(1)
    return torch.zeros_like(mean) if total is None else total


def _pulled(u: Tensor, weight: Tensor) -> Tensor:
    """What `u` is below a linear layer."""
    n_networks, n_outputs, n_rows, _ = torch.broadcast_shapes(u.shape, (len(weight), 1, 1, 1))
    flat = u.expand(n_networks, -1, -1, -1).reshape(n_networks, n_outputs * n_rows, -1)
    return torch.bmm(flat, weight.transpose(1, 2)).view(n_networks, n_outputs, n_rows, -1)


def _contribution(u: Tensor, source: _Source) -> Tensor | None:
    """What arises at these units, as far as it reaches the outputs: (K, b, d)."""
    if source.dropped is not None:
        h = source.dropped
        if u.shape[2] == 1:
            return squares_product(h, u.squeeze(2).transpose(1, 2).expand(len(h), -1, -1), source.odds)
        return source.odds * weighted_squares(u, h.unsqueeze(1)).transpose(1, 2)
    if source.injected is None:
        return None
    if u.shape[2] == 1:
        return torch.bmm(source.injected, u.squeeze(2).square().transpose(1, 2).expand(len(source.injected), -1, -1))
    return (u.square() * source.injected.unsqueeze(1)).sum(-1).transpose(1, 2)
