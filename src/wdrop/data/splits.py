"""Which rows train and which test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
import torch
from torch import Generator, Tensor

from wdrop._checks import known
from wdrop.data.directions import Direction, label, principal_axis
from wdrop.prediction import Points

N_FOLDS = 10
ALL_FOLDS = tuple(range(N_FOLDS))
Kind = Literal["iid", "inter", "extra"]


@final
@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of one training and one test set.

    fold  its number among those of its split
    kind  what is asked of a method: "iid" more of the same, "inter" to interpolate, "extra" to extrapolate
    """

    fold: int
    train: Tensor
    test: Tensor
    kind: Kind = "iid"


def iid_folds(points: Points, *, folds: Sequence[int] = ALL_FOLDS, generator: Generator) -> list[Split]:
    """Ten random folds, or some of them: fold i tests the i-th tenth of a random order.

    A tenth is n // 10 rows; what is left over never tests. The paper's "5-fold" is folds 0, 3, 5, 7, 9.
    """
    _check_folds(points, folds)
    n_test = len(points) // N_FOLDS
    order = torch.randperm(len(points), generator=generator)
    return [
        Split(i, torch.cat([order[: i * n_test], order[(i + 1) * n_test :]]), order[i * n_test : (i + 1) * n_test])
        for i in folds
    ]


def folds_along(direction: Direction, *, closed_ends: bool = True) -> Callable[..., list[Split]]:
    """Ten folds along a direction: fold i tests the rows between its i-th and (i+1)-th tenth, all others train.

    The first and the last fold extrapolate, those between interpolate. As published, both ends of a tenth belong to it:
    equal values are tested together, a tenth may hold more than a tenth of the rows, and neighbours may share some.
    `closed_ends=False` cuts the sorted rows into ten parts that share none; equal values stay in the order of the rows
    and may then lie on both sides.
    """

    def split(points: Points, *, folds: Sequence[int] = ALL_FOLDS, generator: Generator) -> list[Split]:
        _check_folds(points, folds)
        along = direction(points)
        inside = _between_quantiles(along) if closed_ends else _tenths(along)
        return [_parted(i, inside[i], "extra" if i in (0, N_FOLDS - 1) else "inter") for i in folds]

    return split


def far_end(direction: Direction, share: float) -> Callable[..., list[Split]]:
    """One split: what lies up to that quantile trains, what lies beyond tests; `folds` is not looked at."""

    def split(points: Points, *, folds: Sequence[int] = (), generator: Generator) -> list[Split]:
        along = direction(points)
        return [_parted(0, along > float(np.quantile(along.numpy(), share)), "extra")]

    return split


def holdout(share: float) -> Callable[..., list[Split]]:
    """One random split with that share of the rows for training; `folds` is not looked at."""

    def split(points: Points, *, folds: Sequence[int] = (), generator: Generator) -> list[Split]:
        order = torch.randperm(len(points), generator=generator)
        n_train = int(share * len(points))
        return [Split(0, order[:n_train], order[n_train:])]

    return split


def all_rows(points: Points, *, folds: Sequence[int] = (), generator: Generator) -> list[Split]:
    """Train on all rows and judge on the same: for data that say all there is to know, such as toy lines."""
    rows = torch.arange(len(points))
    return [Split(0, rows, rows)]


SPLITS: dict[str, Callable[..., list[Split]]] = {
    "iid": iid_folds,
    "label": folds_along(label),
    "pca": folds_along(principal_axis),
    "iid-80/20": holdout(0.8),
    "iid-50/50": holdout(0.5),
    "label-80/20": far_end(label, 0.8),
    "pca-80/20": far_end(principal_axis, 0.8),
    "all": all_rows,
}
"""Name → function of points, `folds` and a `generator`; a plugin may add its own."""

FOLDED = {"iid", "label", "pca"}
"""The splits that look at `folds`; all others are a single one."""


def split_points(name: str, points: Points, *, folds: Sequence[int] = ALL_FOLDS, generator: Generator) -> list[Split]:
    """The splits of that name."""
    known("split", name, SPLITS)
    return SPLITS[name](points, folds=folds, generator=generator)


def _check_folds(points: Points, folds: Sequence[int]) -> None:
    if len(points) < N_FOLDS:
        raise ValueError(f"expected at least {N_FOLDS} points for {N_FOLDS} folds, got {len(points)}")
    wrong = [fold for fold in folds if fold not in ALL_FOLDS]
    if wrong:
        raise ValueError(f"expected folds from 0 to {N_FOLDS - 1}, got {wrong}")


def _between_quantiles(along: Tensor) -> list[Tensor]:
    edges = np.quantile(along.numpy(), [i / N_FOLDS for i in range(N_FOLDS + 1)])
    return [(edges[i] <= along) & (along <= edges[i + 1]) for i in range(N_FOLDS)]


def _tenths(along: Tensor) -> list[Tensor]:
    rank = torch.empty(len(along), dtype=torch.long)
    rank[torch.argsort(along, stable=True)] = torch.arange(len(along))
    return [rank * N_FOLDS // len(along) == i for i in range(N_FOLDS)]


def _parted(fold: int, tested: Tensor, kind: Kind) -> Split:
    if tested.all() or not tested.any():
        raise ValueError(
            f"expected rows to train and to test in fold {fold}, got {int(tested.sum())} to test of {len(tested)}: "
            "too many rows have the same value along the split"
        )
    return Split(fold, torch.nonzero(~tested).flatten(), torch.nonzero(tested).flatten(), kind)
