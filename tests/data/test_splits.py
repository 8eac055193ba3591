import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop._random import generator_for
from wdrop.data.splits import SPLITS, split_points
from wdrop.prediction import Points


def some_points(n: int) -> Points:
    return Points(torch.arange(float(n)).view(n, 1), torch.zeros(n, 1))


@given(n=st.integers(10, 300), name=st.sampled_from([name for name in SPLITS if name != "all"]))
def test_parts_are_disjoint_and_complete(n: int, name: str) -> None:
    for split in split_points(name, some_points(n), generator=generator_for("split")):
        both = torch.cat([split.train, split.test])
        assert sorted(both.tolist()) == list(range(n))


@given(n=st.integers(10, 300))
def test_folds_test_a_tenth_each_and_no_row_twice(n: int) -> None:
    splits = split_points("iid", some_points(n), generator=generator_for("split"))
    tested = torch.cat([split.test for split in splits])
    assert all(len(split.test) == n // 10 for split in splits)
    assert len(tested.unique()) == 10 * (n // 10)


def test_some_folds_are_the_same_as_among_all() -> None:
    some = split_points("iid", some_points(50), folds=(0, 3, 9), generator=generator_for("split"))
    every = split_points("iid", some_points(50), generator=generator_for("split"))
    assert [split.fold for split in some] == [0, 3, 9]
    assert all(torch.equal(split.test, every[split.fold].test) for split in some)


def test_shares_of_the_single_splits() -> None:
    for name, n_train in (("iid-80/20", 80), ("iid-50/50", 50), ("all", 100)):
        [split] = split_points(name, some_points(100), generator=generator_for("split"))
        assert len(split.train) == n_train


def test_wrong_splits_are_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown split 'idd', did you mean 'iid'\?"):
        split_points("idd", some_points(50), generator=generator_for("split"))
    with pytest.raises(ValueError, match="at least 10 points for 10 folds, got 9"):
        split_points("iid", some_points(9), generator=generator_for("split"))
    with pytest.raises(ValueError, match=r"folds from 0 to 9, got \[10\]"):
        split_points("iid", some_points(50), folds=[1, 10], generator=generator_for("split"))
