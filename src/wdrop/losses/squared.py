from torch import Tensor

from wdrop._checks import same_shape


def squared_error(mean: Tensor, y: Tensor) -> Tensor:
    """Squared distance of the mean from y, for each point: (n, d)."""
    same_shape(mean=mean, y=y)
    return (mean - y).square()


def squared_error_slopes(mean: Tensor, y: Tensor) -> Tensor:
    """The gradient of `squared_error` at each point with respect to the mean."""
    return (mean - y).mul_(2)
