"""What networks said of rows that they had not seen."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from wdrop.measures import evaluate
from wdrop.methods.calibrated import CalibratedPredictor
from wdrop.prediction import Predictor


@final
@dataclass(frozen=True, eq=False)
class Unseen:
    """The calibrated prediction of rows that did not train the networks that were asked, and what was observed.

    mean, std, y  (n, d); NaN in y where nothing was
    """

    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    y: NDArray[np.float64]

    def scores(self) -> dict[str, float]:
        """All measures by name, each the mean over targets; none where a std is 0, which no measure takes."""
        parts = []
        for mean, std, y in zip(self.mean.T, self.std.T, self.y.T, strict=True):
            seen = ~np.isnan(y)
            if not (std[seen] > 0).all():
                return {}
            parts.append(evaluate(mean[seen], std[seen], y[seen]))
        return {name: float(np.mean([part[name] for part in parts])) for name in parts[0]}


def unseen_by(predictor: Predictor) -> Unseen | None:
    """What a calibrated predictor was calibrated with; None of the others, and of those that come from a file."""
    told = predictor.unseen if isinstance(predictor, CalibratedPredictor) else None
    if told is None:
        return None
    observed = told.y if told.weight is None else told.y.where(told.weight > 0, float("nan"))
    parts = (told.prediction.mean, told.prediction.std, observed)
    return Unseen(*(part.double().cpu().numpy() for part in parts))
