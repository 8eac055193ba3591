"""What figures of one-dimensional data show, out of a run and its arrays."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from wdrop.data.toy import toy_noise_std
from wdrop.report.toy import ToyCurves, ToyData
from wdrop.study.plan import Run
from wdrop.study.run import load_points

_MOST_POINTS = 2500  # more would cover the lines


def toy_data(run: Run) -> ToyData:
    """The run's data, thinned out, with the true std where there is noise."""
    points = load_points(run)
    some = points[:: max(1, len(points) // _MOST_POINTS)]
    true_std = None
    if run.dataset == "toy-noise":
        x = torch.linspace(-15, 15, 400)
        true_std = np.stack([x.numpy(), toy_noise_std(x).numpy()])
    return ToyData(some.x.squeeze(1).numpy(), some.y.squeeze(1).numpy(), true_std)


def toy_curves(arrays: Mapping[str, NDArray[Any]]) -> ToyCurves:
    """What the run predicts along its grid; without samples, the mean is the only line."""
    x, mean, std = (arrays[f"0/curve/{name}"] for name in ("x", "mean", "std"))
    return ToyCurves(x, mean, std, arrays.get("0/curve/samples", mean[None]))
