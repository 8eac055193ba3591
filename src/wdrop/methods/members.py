"""Several networks for each set of points, in the same stack."""

from collections.abc import Sequence
from typing import TypeVar

from torch import Generator

from wdrop._random import generator_for, seed_from
from wdrop.prediction import Points

T = TypeVar("T")


def for_each_member(
    trains: Sequence[Points], generators: Sequence[Generator], n_members: int
) -> tuple[list[Points], list[int]]:
    """Every set `n_members` times, with a seed for each: members differ in initial weights and order of the rows."""
    seeds = [seed_from(generator) for generator in generators]
    repeated = [train for train in trains for _ in range(n_members)]
    member_seeds = [seed_from(generator_for(seed, "member", m)) for seed in seeds for m in range(n_members)]
    return repeated, member_seeds


def in_groups(networks: Sequence[T], n_members: int) -> list[Sequence[T]]:
    """The members of each set together again."""
    return [networks[i : i + n_members] for i in range(0, len(networks), n_members)]
