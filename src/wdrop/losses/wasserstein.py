import math

import torch
from torch import Tensor


def wasserstein_dropout_loss(samples: Tensor, y: Tensor) -> Tensor:
    """Squared 2-Wasserstein distance between the sub-networks and the noise, for each point: (n, d).

    samples  (s, n, d), s dropout draws at each point
    y        (n, d)

    (mean - y)² + (std - R)²,   mean, std of the draws,   R² = (mean - y)² + std²

    Sicking et al., "Wasserstein Dropout", equation (4). The unknown std of y is replaced by R, the root mean
    square distance of the draws from y, and std is the biased one (it divides by s), as in the paper. The
    value is 2 (mean - y)² where all draws agree, and falls towards (mean - y)² as their spread grows.

    Both roots are norms of differences: they keep their precision where the draws nearly agree (E[f²] - E[f]²
    does not, and can be negative), and where they agree exactly the gradient is 0, not NaN.

    How wide the spread becomes depends on s: for Gaussian noise the optimum is 0.70 of the true std with 5
    draws, 0.99 with 9, 1.05 with 10, and it grows without bound as s does.
    """
    if samples.ndim < 2 or samples.shape[1:] != y.shape:
        raise ValueError(
            f"expected samples (s, n, d) and y (n, d), got samples {tuple(samples.shape)}, y {tuple(y.shape)}; "
            "targets are (n, d), also when d = 1"
        )
    if len(samples) == 0:
        raise ValueError("expected at least one draw, got samples of length 0")
    e, d = _deviations(samples, y)
    return d.square() + (_root_mean_square(e) - _root_mean_square(e + d)).square()


def wasserstein_dropout_slopes(samples: Tensor, y: Tensor) -> Tensor:
    """The gradient of `wasserstein_dropout_loss` at each point with respect to its draws: (s, n, d).

    With d = mean - y and e = f - mean for each draw f, whose distance from y is e + d:

        (2/s) (d + (std - R) (e/std - (e + d)/R))

    Autograd finds the same, at a price that small networks feel.
    """
    e, d = _deviations(samples, y)
    far = e + d
    std, distance = _root_mean_square(e), _root_mean_square(far)
    # where all draws agree e is 0, and where they all hit y so is e + d: any divisor will do
    pull = e.div_(std.clamp_min(_TINY)).sub_(far.div_(distance.clamp_min(_TINY)))
    return pull.mul_(std - distance).add_(d).mul_(2 / len(samples))


_TINY = 1e-30  # far below any spread that float32 can tell from 0, and its inverse is finite


def _deviations(samples: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Of the draws from their mean (s, n, d), and of their mean from y (n, d).

    By way of the first draw: where all draws agree their deviations are then exactly 0. The mean of five equal numbers
    need not be that number, and what rounding leaves would point the gradient anywhere.
    """
    beyond = samples - samples[0]
    mean_beyond = beyond.mean(0)
    return beyond - mean_beyond, samples[0] + mean_beyond - y


def _root_mean_square(x: Tensor) -> Tensor:
    return torch.linalg.vector_norm(x, dim=0) / math.sqrt(len(x))
