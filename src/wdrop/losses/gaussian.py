import math

from torch import Tensor

from wdrop._checks import same_shape


def gaussian_nll(mean: Tensor, variance: Tensor, y: Tensor) -> Tensor:
    """Negative log-density of y under N(mean, variance), for each point: (n, d).

    ½ (y - mean)²/variance + ½ log variance + ½ log 2π
    """
    same_shape(mean=mean, variance=variance, y=y)
    return 0.5 * ((y - mean).square() / variance + variance.log() + math.log(2 * math.pi))


def published_gaussian_nll(mean: Tensor, std: Tensor, y: Tensor) -> Tensor:
    """The likelihood as coded behind the Wasserstein dropout paper: no constant, small numbers added, a floor.

    (y - mean)²/(2 std² + 1e-10) + ½ log(std² + 1e-10), and where that is below -100 it is -100 and has no gradient.
    """
    same_shape(mean=mean, std=std, y=y)
    variance = std.square()
    value = (y - mean).square() / (2 * variance + 1e-10) + 0.5 * (variance + 1e-10).log()
    return value.clamp_min(-100)
