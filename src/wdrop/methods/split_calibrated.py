from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Generator

from wdrop._checks import known
from wdrop._random import generator_for, seed_from
from wdrop.calibration import CALIBRATIONS
from wdrop.methods.calibrated import CalibratedPredictor
from wdrop.methods.method import Method
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Predictor


@final
@dataclass(frozen=True, kw_only=True)
class SplitCalibrated(Method):
    """Any method, calibrated by a share of the training rows that it does not see.

    One network and no more: for large tables, where rows are cheap and training is not. With "conformal" the
    intervals have their guarantee, provided that scaling is left to the method (`Scaled` goes inside).
    """

    method: Method
    calibration: str = "conformal"
    share: float = 0.2

    def __post_init__(self) -> None:
        known("calibration", self.calibration, CALIBRATIONS)
        if not 0 < self.share < 1:
            raise ValueError(f"expected a share of rows between 0 and 1, got {self.share}")

    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        seeds = [seed_from(generator) for generator in generators]
        cuts = [self._cut(train, seed) for train, seed in zip(trains, seeds, strict=True)]
        predictors = self.method.fit_many(
            [kept for kept, _ in cuts], generators=[generator_for(seed, "fit") for seed in seeds], progress=progress
        )
        calibrated: list[Predictor] = []
        for predictor, (_, held_out), seed in zip(predictors, cuts, seeds, strict=True):
            prediction = predictor.predict(held_out.x, generator=generator_for(seed, "held out"))
            kind = CALIBRATIONS[self.calibration]
            calibrated.append(CalibratedPredictor.of(predictor, kind, prediction, held_out.y, held_out.weight))
        return calibrated

    def _cut(self, train: Points, seed: int) -> tuple[Points, Points]:
        """The rows that train, and those that are held out: at least one of each."""
        if len(train) < 2:
            raise ValueError(f"expected at least 2 points to hold some out, got {len(train)}")
        order = torch.randperm(len(train), generator=generator_for(seed, "split"))
        n_held_out = min(max(1, round(self.share * len(train))), len(train) - 1)
        return train[order[n_held_out:]], train[order[:n_held_out]]
