"""Ways to cut training rows into inner folds."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import torch
from torch import Generator, Tensor

from wdrop.data.scaling import Scaler
from wdrop.prediction import Points


@final
@dataclass(frozen=True, eq=False)
class Fold:
    """Row numbers: those that train and those that judge."""

    kept: Tensor
    held_out: Tensor


def cut_rows(cut: str, points: Points, n_folds: int, *, generator: Generator) -> list[Fold]:
    """Folds of almost equal size, each row held out once; as many as there are rows, if those are fewer."""
    if len(points) < 2:
        raise ValueError(f"expected at least 2 points to hold some out, got {len(points)}")
    order = CUTS[cut](points, generator)
    parts = order.tensor_split(min(n_folds, len(points)))
    return [Fold(torch.cat([*parts[:k], *parts[k + 1 :]]), part) for k, part in enumerate(parts)]


def _shuffled(points: Points, generator: Generator) -> Tensor:
    return torch.randperm(len(points), generator=generator)


def _along_pca(points: Points, generator: Generator) -> Tensor:
    """Rows ordered along the first principal component of standardised inputs."""
    x = Scaler.of(points).inputs(points.x).double().cpu()
    _, vectors = torch.linalg.eigh(x.T @ x)
    return (x @ vectors[:, -1]).argsort(stable=True)


def _along_label(points: Points, generator: Generator) -> Tensor:
    """Rows ordered by y; by the mean of standardised targets, if there are several."""
    return Scaler.of(points).points(points).y.double().cpu().mean(1).argsort(stable=True)


CUTS: MappingProxyType[str, Callable[[Points, Generator], Tensor]] = MappingProxyType(
    {"random": _shuffled, "pca": _along_pca, "label": _along_label}
)
