import json

import numpy as np
import pytest
from numpy.typing import NDArray

from wdrop.data.shift import TrainingRows, shift_of

RANDOM = np.random.default_rng(0)


def rows(n: int, *, correlation: float = 0.9) -> NDArray[np.float64]:
    """Two features that go together, and one that is 0 or 1."""
    a = RANDOM.normal(size=n)
    b = correlation * a + np.sqrt(1 - correlation**2) * RANDOM.normal(size=n)
    return np.column_stack([100 + 10 * a, b, RANDOM.random(n) < 0.3])


TRAINING = TrainingRows.of(rows(2000), ["a", "b", "flag"])


def test_rows_of_the_same_kind_are_not_shifted() -> None:
    accidents = [shift_of(TRAINING, [rows(n)]).is_shifted for n in (15, 50, 500, 5000) for _ in range(10)]
    assert sum(accidents) <= 2
    assert shift_of(TRAINING, [rows(5000)]).far == pytest.approx(0.01, abs=0.01)


def test_a_feature_that_moved_is_named() -> None:
    new = rows(500)
    new[:, 0] += 20
    shift = shift_of(TRAINING, [new])
    assert [feature.title for feature in shift.shifted] == ["a"]
    assert shift.shifted[0].moved == pytest.approx(2, abs=0.1)
    assert shift.shifted[0].distance == pytest.approx(0.68, abs=0.05)  # 2 Φ(1) - 1
    assert 0 < shift.shifted[0].outside < 0.5


def test_a_feature_below_all_of_training_is_as_far_as_can_be() -> None:
    new = rows(100)
    new[:, 1] = -50
    assert shift_of(TRAINING, [new]).shifted[0].distance == 1
    assert shift_of(TRAINING, [new]).far == 1


def test_pairs_that_never_went_together_are_far_though_no_feature_moved() -> None:
    shift = shift_of(TRAINING, [rows(1000, correlation=-0.9)])
    assert not any(feature.is_shifted for feature in shift.features)
    assert shift.far > 0.3
    assert shift.is_shifted


def test_pieces_are_one_table() -> None:
    new = rows(300)
    one, other = shift_of(TRAINING, [new[:7], new[7:100], new[100:]]), shift_of(TRAINING, [new])
    assert one.far == other.far
    for part, whole in zip(one.features, other.features, strict=True):
        assert (part.distance, part.outside) == pytest.approx((whole.distance, whole.outside))
        assert part.moved == pytest.approx(whole.moved)


def test_what_is_remembered_survives_a_file() -> None:
    again = TrainingRows.from_json(json.loads(json.dumps(TRAINING.to_json())))
    new = rows(300)
    one, other = shift_of(TRAINING, [new]), shift_of(again, [new])
    assert other.far == one.far
    assert other.features[0].distance == pytest.approx(one.features[0].distance, abs=1e-6)


def test_few_training_rows_make_no_false_alarm() -> None:
    """The distance that one in a hundred of a hundred rows exceeds is a guess."""
    accidents = [shift_of(TrainingRows.of(rows(100), ["a", "b", "flag"]), [rows(1000)]).is_shifted for _ in range(60)]
    assert sum(accidents) <= 3


def test_few_rows_of_many_features_make_no_false_alarm() -> None:
    """Distances measured by moments that the same rows had set would be far too small."""
    few = TrainingRows.of(RANDOM.normal(size=(60, 20)), [f"x{j}" for j in range(20)])
    assert shift_of(few, [RANDOM.normal(size=(1000, 20))]).far < 0.05
    wide = TrainingRows.of(RANDOM.normal(size=(60, 100)), [f"x{j}" for j in range(100)])
    assert wide.to_json()["precision"] is None
    assert shift_of(wide, [RANDOM.normal(size=(500, 100))]).far < 0.1
