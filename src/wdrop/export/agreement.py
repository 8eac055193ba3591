"""How far what a graph says is from what PyTorch says."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop.prediction import Prediction

TOLERANCE = 1e-4
STD_FLOOR = 0.1
"""Of the target's median std.

A std below it is held to the floor's size: where members or draws happen to agree, std is what is left of numbers that
nearly cancel, and single precision leaves PyTorch no more digits of it than the graph. So an error of 1e-5 of the
typical std is found in every row; the card tells the deviation without a floor beside it.
"""
_MOST_ROUNDING = 0.01  # of std, to the rounding of the mean

Array = NDArray[Any]


@final
@dataclass(frozen=True)
class Agreement:
    """The largest deviations over all rows and targets.

    judged       of std relative to std, or to the floor if that is larger; and of mean relative to |mean|, or to that
                 if it is larger
    std          of std relative to std alone, however small that is
    mean_in_std  of mean in units of std, or of the floor: what is left of an error bar around a large number
    """

    judged: float
    std: float
    mean_in_std: float

    def with_other(self, other: "Agreement") -> "Agreement":
        """The worse of both."""
        return Agreement(
            max(self.judged, other.judged), max(self.std, other.std), max(self.mean_in_std, other.mean_in_std)
        )


def floor_of(reference: Prediction) -> Array:
    """For each target a tenth of its median std, (d,); targets have units of their own."""
    return STD_FLOOR * np.median(_numpy(reference.std), axis=0)


def agreement(found: tuple[Array, Array], reference: Prediction, floor: Array) -> Agreement:
    """Mean and std of a graph against PyTorch's, all (n, d)."""
    mean, std = _numpy(reference.mean), _numpy(reference.std)
    if found[0].shape != mean.shape or found[1].shape != std.shape:
        return Agreement(np.inf, np.inf, np.inf)
    off_mean, off_std = np.abs(found[0] - mean), np.abs(found[1] - std)
    scale = np.maximum(std, floor)
    judged = max(_worst(off_std, scale), _worst(off_mean, np.maximum(np.abs(mean), scale)))
    return Agreement(judged, _worst(off_std, std), _worst(off_mean, scale))


def refuse_coarse_mean(reference: Prediction, kind: str, floor: Array, names: list[str]) -> None:
    """Refuse an output type that rounds the mean by more than a hundredth of std."""
    mean, std = _numpy(reference.mean), _numpy(reference.std)
    scale = np.maximum(std, floor)
    lost = np.divide(np.abs(mean - mean.astype(kind)), scale, out=np.zeros_like(mean), where=scale > 0).max(0)
    for name, share in zip(names, lost, strict=True):
        if share > _MOST_ROUNDING:
            raise ValueError(
                f"{kind} is too coarse for the target {name!r}: rounding its mean takes {share:.2g} of its std; "
                'use input_type="float64", or shift its origin'
            )


def _worst(off: Array, scale: Array) -> float:
    ratio = np.divide(off, scale, out=np.where(off == 0, 0.0, np.inf), where=scale > 0)  # 0 where both say 0
    worst = float(ratio.max())
    return worst if np.isfinite(worst) else np.inf


def _numpy(part: Any) -> Array:
    array: Array = part.detach().cpu().double().numpy()
    return array
