from torch import Tensor

from wdrop._checks import same_shape


def squared_error(mean: Tensor, y: Tensor) -> Tensor:
    """Squared distance of the mean from y, for each point: (n, d)."""
    same_shape(mean=mean, y=y)
    return (mean - y).square()
