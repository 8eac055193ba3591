"""One number for each row, along which a split cuts: float64, (n,)."""

from collections.abc import Callable

import torch
from torch import Tensor

from wdrop.data.scaling import Scaler
from wdrop.prediction import Points

Direction = Callable[[Points], Tensor]


def label(points: Points) -> Tensor:
    """The target."""
    if points.y.shape[1] != 1:
        raise ValueError(f"expected one target for a split along it, got {points.y.shape[1]}; use the iid or pca split")
    return points.y[:, 0].double()


def principal_axis(points: Points) -> Tensor:
    """The projection on the first principal component of all inputs, standardised with all rows, as published.

    Neither end is the upper one by nature: here it is the end that reaches farther out, as scikit-learn had it until
    1.4; where both reach as far, the one to which the largest loading points.
    """
    double = Points(points.x.double(), points.y.double())
    x = Scaler.of(double).inputs(double.x)
    axis = torch.linalg.eigh(x.T @ x / len(x)).eigenvectors[:, -1]
    axis = axis * axis[axis.abs().argmax()].sign()
    # Rows that differ only where the axis has no loading lie at one place; rounding errors must not order them.
    along = (x @ axis).round(decimals=9)
    return -along if -along.min() > along.max() + 1e-6 else along
