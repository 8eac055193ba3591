"""What residuals and shifts say of a model, in plain words: the one voice of command line and pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import NormalDist
from typing import final

import numpy as np
from numpy.typing import NDArray

from wdrop.data.shift import FAR, Shift

Array = NDArray[np.float64]

_LEAST_ROWS = 20  # on fewer, chance says more than any model
_SURE = 2.6  # standard errors: one false alarm in a hundred
_MATERIAL = 1.1  # a std that is off by less is good work
_BIAS = 0.2  # of the typical error; a mean that is off by less is not worth a word
_BEYOND_THREE = 0.0027  # of a perfect forecaster's rows lie more than 3 std off
_ENOUGH = 50  # rows, to compare a fifth with a fifth
_TELLING = 1.3  # times as large errors, where std is large
_GREW = 1.2
_NAMED = 3  # features in a sentence


def advice_for(calibrate: str | None, *, same_rows: bool = False, look_alike: bool = False) -> str:
    """What to do about a std that is off, by how it was calibrated.

    same_rows   whether these very rows did that
    look_alike  whether the features of these rows are distributed as in training
    """
    if calibrate is None:
        return ": refit with calibrate=cross"
    if same_rows:
        return ": a few errors are far larger than the others, look at them, or refit with calibrate=robust_scale"
    if look_alike:
        return ", although it was calibrated at rows with such features: refit with these rows as well"
    return ", although it was calibrated in training: refit with rows like these"


@final
@dataclass(frozen=True)
class StdVerdict:
    """Whether std is as large as the errors, on rows with a target.

    factor    the root mean square of (y - mean) / std: 1 is right, 1.3 says that errors are 1.3 times what std says
    typical   the same for the bulk: what std needs to be multiplied by for the interval to hold its share
    coverage  the share of rows inside the interval of `level`
    bias      the mean of (y - mean) / std
    n_far     rows more than 3 std off
    contrast  how many times as large errors are in the fifth of largest std as in that of smallest; None for few rows
    holds     whether std can be believed; None where there are too few rows to tell
    sentence  that in words, without a full stop
    remark    whether std tells hard rows from easy ones, likewise; empty for few rows
    """

    rows: int
    factor: float
    typical: float
    coverage: float
    level: float
    bias: float
    n_far: int
    contrast: float | None
    holds: bool | None
    sentence: str
    remark: str

    def sentences(self, target: str = "") -> list[str]:
        """All that is said, with the name of the target before it where there are several."""
        said = [text for text in (self.sentence, self.remark) if text]
        return [f"for {target}: {text}" for text in said] if target else said


def judge_std(
    mean: Array, std: Array, y: Array, *, level: float = 0.9, coverage: float | None = None, advice: str
) -> StdVerdict:
    """The verdict for one target; all (n,), every y observed, every std above 0.

    coverage  the share of rows inside the model's own interval of `level`; None takes the Gaussian one
    advice    what follows if std is off, see `advice_for`
    """
    z = (y - mean) / std
    reach = NormalDist().inv_cdf((1 + level) / 2)
    inside = float(np.mean(np.abs(z) <= reach)) if coverage is None else coverage
    contrast, remark = _told_apart(std, y - mean)
    found = StdVerdict(
        len(z), sqrt(float(np.mean(z**2))), float(np.quantile(np.abs(z), level)) / reach, inside, level,
        float(np.mean(z)), int((np.abs(z) > 3).sum()), contrast, None, "", remark,
    )  # fmt: skip
    holds, sentence = _judged(found, z, advice)
    return replace(found, holds=holds, sentence=sentence)


def _judged(found: StdVerdict, z: Array, advice: str) -> tuple[bool | None, str]:
    """Whether std holds, and the sentence."""
    n, factor = found.rows, found.factor
    if n < _LEAST_ROWS:
        return None, f"{n} rows with a target are too few to judge std; bring {_LEAST_ROWS}"
    share = f"{found.coverage:.0%} of rows lie in the {found.level:.0%} interval"
    is_covered = abs(found.coverage - found.level) <= _SURE * sqrt(found.level * (1 - found.level) / n) + 0.02
    is_wild = found.typical < _MATERIAL < factor and factor**2 - 1 > _SURE * sqrt(2 / n)  # 2: the variance of z²
    is_off = abs(factor**2 - 1) > _SURE * float(np.std(z**2)) / sqrt(n) and not 1 / _MATERIAL < factor < _MATERIAL
    more = _of_mean(found, z) + _of_far_rows(found)
    if is_covered and is_wild:
        wild = "but a few rows are much farther off than std says: look at the worst of them"
        return True, f"calibration holds for most of this data, {share}, {wild}{more}"
    if is_covered and not is_off:
        return True, f"calibration holds on this data: {share}{more}"
    return False, f"{_size(factor) if is_off else f'{_size(found.typical)}, for most rows'}{advice}{more}"


def _size(factor: float) -> str:
    share = f"{1 - 1 / factor:.0%} too small" if factor > 1 else f"{1 / factor - 1:.0%} too large"
    return f"std is {share} on this data"


def _of_mean(found: StdVerdict, z: Array) -> str:
    bias = abs(found.bias)
    if bias <= max(_SURE * float(np.std(z)) / sqrt(found.rows), _BIAS * found.factor):
        return ""
    way = "low" if found.bias > 0 else "high"
    return f"; the mean is too {way} here, by {bias:.1f} std on average, which no std can mend"


def _of_far_rows(found: StdVerdict) -> str:
    expected = _BEYOND_THREE * found.rows
    if found.n_far <= expected + 3.5 * sqrt(expected) + 2:  # one in a thousand perfect forecasters has more
        return ""
    return f"; {found.n_far} of {found.rows} rows lie more than 3 std off, {expected:.1f} would be expected"


def _told_apart(std: Array, residual: Array) -> tuple[float | None, str]:
    """How many times as large errors are where std is large, and what that means."""
    if len(std) < _ENOUGH:
        return None, ""
    order = np.argsort(std, kind="stable")
    part = len(order) // 5
    parts = order[:part], order[-part:]
    low, high = (float(np.sqrt(np.mean(residual[rows] ** 2))) for rows in parts)
    if low == 0:
        return None, ""
    contrast = high / low
    if contrast > _TELLING:
        told = f"std tells hard rows from easy ones: errors are {contrast:.1f} times as large where it is largest"
        return contrast, told
    spread = float(std[parts[1]].mean() / std[parts[0]].mean())
    if spread < _TELLING:
        return contrast, "std is much the same for all rows, and so are errors"
    differs = f"it is {spread:.1f} times as large in one fifth of rows as in another, errors are {contrast:.1f} times"
    return contrast, f"std hardly tells hard rows from easy ones: {differs}"


def judge_shift(shift: Shift, growth: Sequence[float], verdicts: Iterable[StdVerdict] = ()) -> str:
    """What the differences mean.

    growth    for each target, how many times as large std is as in training
    verdicts  on std at these rows, for targets that are known
    """
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
    return f"{sentence}; {grown}{_trust(verdicts)}"


def _trust(verdicts: Iterable[StdVerdict]) -> str:
    """Whether to believe a std that did not grow although rows differ."""
    judged = [verdict.holds for verdict in verdicts if verdict.holds is not None]
    if not judged:
        return ": do not trust it here before rows with a target have confirmed it"
    return ", and the targets confirm it" if all(judged) else ", and the targets say that it does not hold"


def as_prose(sentences: Sequence[str]) -> str:
    """The sentences one after another, each with a capital and a full stop."""
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)
