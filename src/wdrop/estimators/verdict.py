"""What scores and shifts mean, in plain words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import final

import numpy as np
from numpy.typing import NDArray

from wdrop.estimators.shift import FAR, Shift

Array = NDArray[np.float64]

_LEAST_ROWS = 20  # on fewer, chance says more than any model
_SURE = 2.6  # standard errors: one false alarm in a hundred
_MATERIAL = 1.1  # a std that is off by less is good work
_GREW = 1.2
_NAMED = 3  # features in a sentence


@final
@dataclass(frozen=True)
class CalibrationVerdict:
    """Whether std is as large as the errors, on rows with a target.

    factor    the root mean square of (y - mean) / std: 1 is right, 1.3 says that errors are 1.3 times what std says
    typical   the same for the bulk: what std needs to be multiplied by for the interval to hold its share
    coverage  the share of rows inside the interval of `level`
    bias      the mean of (y - mean) / std
    holds     whether calibration still holds; None where there are too few rows to tell
    """

    rows: int
    factor: float
    typical: float
    coverage: float
    level: float
    bias: float
    holds: bool | None
    sentence: str


def judge_calibration(
    mean: Array, std: Array, lower: Array, upper: Array, y: Array, *, level: float, calibrate: str | None
) -> CalibrationVerdict:
    """The verdict for one target; all (n,), every y observed, every std above 0; `calibrate` is what the model had."""
    z = (y - mean) / std
    n = len(z)
    square = float(np.mean(z**2))
    factor = sqrt(square)
    typical = float(np.quantile(np.abs(z), level)) / NormalDist().inv_cdf((1 + level) / 2)
    coverage = float(np.mean((y >= lower) & (y <= upper)))
    bias = float(np.mean(z))
    told = n, factor, typical, coverage, level, bias
    if n < _LEAST_ROWS:
        return CalibrationVerdict(*told, None, f"{n} rows with a target are too few to judge std; bring {_LEAST_ROWS}")
    share = f"{coverage:.0%} of rows lie in the {level:.0%} interval"
    is_covered = abs(coverage - level) <= _SURE * sqrt(level * (1 - level) / n) + 0.02
    if is_covered and typical < _MATERIAL < factor and square - 1 > _SURE * sqrt(2 / n):  # 2: the variance of z²
        wild = "but a few rows are much farther off than std says: look at the worst of them"
        return CalibrationVerdict(*told, True, f"calibration holds for most of this data, {share}, {wild}")
    is_off = abs(square - 1) > _SURE * float(np.std(z**2)) / sqrt(n) and not 1 / _MATERIAL < factor < _MATERIAL
    if is_covered and not is_off:
        return CalibrationVerdict(*told, True, f"calibration holds on this data: {share}")
    sentence = _off(factor if is_off else typical, calibrate)
    if abs(bias) > _SURE * float(np.std(z)) / sqrt(n) and abs(bias) > 0.5 * factor:
        way = "low" if bias > 0 else "high"
        sentence += f"; the mean is too {way} here, by {abs(bias):.1f} std on average, which no std can mend"
    return CalibrationVerdict(*told, False, sentence)


def _off(factor: float, calibrate: str | None) -> str:
    share = f"{1 - 1 / factor:.0%} too small" if factor > 1 else f"{1 / factor - 1:.0%} too large"
    size = f"std is {share} on this data"
    if calibrate is None:
        return f"{size}: refit with calibrate=cross"
    return f"{size}, although it was calibrated in training: refit with rows like these"


def judge_shift(shift: Shift, growth: Sequence[float]) -> str:
    """What the differences mean; `growth` is, for each target, how many times as large std is as in training."""
    far = f"{shift.far:.0%} of rows lie farther out than {FAR:.0%} of the training rows"
    grown = f"std is {' and '.join(f'{ratio:.2f}' for ratio in growth)} times that of training" if growth else ""
    if not shift.is_shifted:
        return f"rows look like those of training ({far})" + (f"; {grown}" if grown else "")
    most = shift.shifted[:_NAMED]
    names = f", most in {', '.join(repr(feature.title) for feature in most)}" if most else ""
    sentence = f"rows differ from those of training{names} ({far})"
    if not growth:
        return sentence
    if min(growth) > _GREW:
        return f"{sentence}; the model noticed: {grown}"
    return f"{sentence}; {grown}: do not trust it here before rows with a target have confirmed it"
