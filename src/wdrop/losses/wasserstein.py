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
    mean = samples.mean(0)
    std = _root_mean_square(samples - mean)
    distance = _root_mean_square(samples - y)
    return (mean - y).square() + (std - distance).square()


def _root_mean_square(x: Tensor) -> Tensor:
    return torch.linalg.vector_norm(x, dim=0) / math.sqrt(len(x))
