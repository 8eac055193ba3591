"""What networks said of rows that they had not seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wdrop.calibration import Calibration
from wdrop.calibration.interval import central
from wdrop.measures import evaluate
from wdrop.methods.calibrated import CalibratedPredictor
from wdrop.prediction import Prediction, Predictor

LEVEL = 0.9
"""Of the interval whose coverage and width are told."""


@final
@dataclass(frozen=True, eq=False)
class Unseen:
    """The calibrated prediction of rows that did not train the networks that were asked, and what was observed.

    mean, std, y  (n, d); NaN in y where nothing was
    reach         (2, d), how many std below and above the mean the model's own 90 % interval ends
    """

    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    y: NDArray[np.float64]
    reach: NDArray[np.float64]

    def scores(self, targets: Sequence[str]) -> dict[str, dict[str, float]]:
        """For each target all measures by name; a target with a std of 0, which no measure takes, is left out.

        Coverage and width are of the model's own intervals, which need not be Gaussian.
        """
        found = {}
        parts = zip(targets, self.mean.T, self.std.T, self.y.T, self.reach.T, strict=True)
        for target, mean, std, y, (below, above) in parts:
            seen = ~np.isnan(y)
            if not (std[seen] > 0).all():
                continue
            z = (y[seen] - mean[seen]) / std[seen]
            coverage = float(np.mean((z >= below) & (z <= above)))
            width = float(np.mean(std[seen]) * (above - below))
            found[target] = {**evaluate(mean[seen], std[seen], y[seen]), "coverage": coverage, "width": width}
        return found


def unseen_by(predictor: Predictor) -> Unseen | None:
    """What a calibrated predictor was calibrated with; None of the others, and of those that come from a file."""
    if not isinstance(predictor, CalibratedPredictor) or predictor.unseen is None:
        return None
    told = predictor.unseen
    observed = told.y if told.weight is None else told.y.where(told.weight > 0, float("nan"))
    parts = (told.prediction.mean, told.prediction.std, observed, _reach(predictor.calibration, observed.shape[1]))
    return Unseen(*(part.double().cpu().numpy() for part in parts))


def _reach(calibration: Calibration, n_targets: int) -> Tensor:
    """Where the 90 % interval ends, in std from the mean, both after calibration: (2, d).

    One prediction tells it for all: an interval is either Gaussian after calibration, or a number of std before it.
    """
    unit = Prediction(torch.zeros(1, n_targets, dtype=torch.float64), torch.ones(1, n_targets, dtype=torch.float64))
    calibrated = calibration.apply(unit)
    return ((calibration.quantiles(unit, central(LEVEL)) - calibrated.mean) / calibrated.std)[:, 0]
