import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop._random import generator_for
from wdrop.data.directions import label
from wdrop.data.scaling import Scaler
from wdrop.data.splits import FOLDED, SPLITS, folds_along, split_points
from wdrop.prediction import Points


def some_points(n: int) -> Points:
    return Points(torch.arange(float(n)).view(n, 1), torch.randn(n, 1, generator=generator_for("y", n)))


def tied_points(n: int) -> Points:
    y = torch.randint(0, 10, (n, 1), generator=generator_for("ties", n))
    return Points(torch.randn(n, 2, generator=generator_for("x", n)), y.float())


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


@given(n=st.integers(60, 300), name=st.sampled_from(["label", "pca", "label-80/20", "pca-80/20"]))
def test_parts_are_disjoint_and_complete_with_equal_targets_too(n: int, name: str) -> None:
    for split in split_points(name, tied_points(n), generator=generator_for("split")):
        assert sorted(torch.cat([split.train, split.test]).tolist()) == list(range(n))
        assert len(split.test)


@given(n=st.integers(60, 300))
def test_label_folds_are_the_published_rule(n: int) -> None:
    points = tied_points(n)
    y = points.y[:, 0].double().numpy()
    for split in split_points("label", points, generator=generator_for("split")):
        low, high = np.quantile(y, split.fold / 10), np.quantile(y, (split.fold + 1) / 10)
        assert split.test.tolist() == [i for i in range(n) if low <= y[i] <= high]
        assert not set(y[split.train]) & set(y[split.test])


@given(n=st.integers(10, 300))
def test_open_ends_give_tenths_that_share_no_row(n: int) -> None:
    splits = folds_along(label, closed_ends=False)(tied_points(n), generator=generator_for("split"))
    assert sorted(torch.cat([split.test for split in splits]).tolist()) == list(range(n))
    assert {len(split.test) for split in splits} <= {n // 10, n // 10 + 1}
    tops = [float(tied_points(n).y[split.test].max()) for split in splits]
    assert tops == sorted(tops)


def test_the_outer_folds_extrapolate_and_the_inner_ones_interpolate() -> None:
    points = some_points(101)
    for name in ("label", "pca"):
        splits = split_points(name, points, folds=(0, 3, 5, 7, 9), generator=generator_for("split"))
        assert [split.kind for split in splits] == ["extra", "inter", "inter", "inter", "extra"]
        along = points.y[:, 0] if name == "label" else points.x[:, 0]
        assert along[splits[-1].test].min() > along[splits[-1].train].max()
        assert along[splits[0].test].max() < along[splits[0].train].min()
        [single] = split_points(f"{name}-80/20", points, generator=generator_for("split"))
        assert (single.kind, len(single.train), len(single.test)) == ("extra", 81, 20)
        assert along[single.test].min() > along[single.train].max()
    assert {split.kind for split in split_points("iid", points, generator=generator_for("split"))} == {"iid"}


def test_the_splits_that_look_at_folds_are_told() -> None:
    points = some_points(50)
    found = {
        name for name in SPLITS if len(split_points(name, points, folds=(0, 3), generator=generator_for("split"))) == 2
    }
    assert found == FOLDED


@given(n=st.integers(60, 200), name=st.sampled_from(sorted(FOLDED)))
def test_the_training_rows_set_the_scale(n: int, name: str) -> None:
    points = tied_points(n)
    for split in split_points(name, points, generator=generator_for("split")):
        scaler = Scaler.of(points[split.train])
        points.x[split.test] += 1000  # what the test rows say does not count
        assert torch.equal(Scaler.of(points[split.train]).x_mean, scaler.x_mean)
        scaled = scaler.points(points[split.train])
        assert scaled.x.mean(0).abs().max() < 1e-5
        assert (scaled.x.std(0, correction=0) - 1).abs().max() < 1e-4
        points.x[split.test] -= 1000


def test_a_direction_with_one_value_is_refused() -> None:
    constant = Points(torch.randn(20, 1, generator=generator_for("x")), torch.ones(20, 1))
    with pytest.raises(ValueError, match="to train and to test in fold 0, got 20 to test of 20: too many rows have"):
        split_points("label", constant, generator=generator_for("split"))
    with pytest.raises(ValueError, match="in fold 0, got 0 to test of 20"):
        split_points("label-80/20", constant, generator=generator_for("split"))
    with pytest.raises(ValueError, match="expected one target"):
        split_points("label", Points(torch.zeros(20, 1), torch.zeros(20, 2)), generator=generator_for("split"))
