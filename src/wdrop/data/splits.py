"""Which rows train and which test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import torch
from torch import Generator, Tensor

from wdrop._checks import known
from wdrop.prediction import Points

N_FOLDS = 10
ALL_FOLDS = tuple(range(N_FOLDS))


@final
@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of one training and one test set; `fold` is its number among those of its kind."""

    fold: int
    train: Tensor
    test: Tensor


def iid_folds(points: Points, *, folds: Sequence[int] = ALL_FOLDS, generator: Generator) -> list[Split]:
    """Ten random folds, or some of them: fold i tests the i-th tenth of a random order.

    A tenth is n // 10 rows; what is left over never tests. The paper's "5-fold" is folds 0, 3, 5, 7, 9.
    """
    n_test = len(points) // N_FOLDS
    if n_test == 0:
        raise ValueError(f"expected at least {N_FOLDS} points for {N_FOLDS} folds, got {len(points)}")
    wrong = [fold for fold in folds if fold not in ALL_FOLDS]
    if wrong:
        raise ValueError(f"expected folds from 0 to {N_FOLDS - 1}, got {wrong}")
    order = torch.randperm(len(points), generator=generator)
    return [
        Split(i, torch.cat([order[: i * n_test], order[(i + 1) * n_test :]]), order[i * n_test : (i + 1) * n_test])
        for i in folds
    ]


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


SPLITS: MappingProxyType[str, Callable[..., list[Split]]] = MappingProxyType(
    {"iid": iid_folds, "iid-80/20": holdout(0.8), "iid-50/50": holdout(0.5), "all": all_rows}
)


def split_points(name: str, points: Points, *, folds: Sequence[int] = ALL_FOLDS, generator: Generator) -> list[Split]:
    """The splits of that name."""
    known("split", name, SPLITS)
    return SPLITS[name](points, folds=folds, generator=generator)
