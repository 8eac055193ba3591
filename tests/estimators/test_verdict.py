import numpy as np
import pytest

from wdrop.estimators.shift import FeatureShift, Shift
from wdrop.estimators.verdict import CalibrationVerdict, judge_calibration, judge_shift

RANDOM = np.random.default_rng(0)


def judged(error: float, n: int = 1000, *, bias: float = 0.0, calibrate: str | None = None) -> CalibrationVerdict:
    """The verdict on a std of 2 for Gaussian errors `error` times as large."""
    y = 2 * (error * RANDOM.normal(size=n) + bias)
    mean, std = np.zeros(n), np.full(n, 2.0)
    return judge_calibration(mean, std, mean - 1.645 * std, mean + 1.645 * std, y, level=0.9, calibrate=calibrate)


def test_honest_std_holds() -> None:
    verdicts = [judged(1, n) for n in (20, 100, 1000) for _ in range(20)]
    assert sum(verdict.holds is False for verdict in verdicts) <= 2
    assert judged(1, 10_000).sentence == "calibration holds on this data: 90% of rows lie in the 90% interval"


@pytest.mark.parametrize(("error", "size"), [(1 / 0.7, "30% too small"), (0.5, "100% too large")])
def test_the_size_of_what_is_wrong_is_told(error: float, size: str) -> None:
    verdict = judged(error, 100_000)
    assert verdict.holds is False
    assert verdict.factor == pytest.approx(error, rel=0.02)
    assert verdict.typical == pytest.approx(error, rel=0.02)
    assert verdict.sentence == f"std is {size} on this data: refit with calibrate=cross"
    assert judged(error, 1000, calibrate="cross").sentence.endswith("in training: refit with rows like these")


def test_a_mean_that_is_off_is_told_apart() -> None:
    assert "; the mean is too low here, by 2.0 std on average" in judged(1, bias=2).sentence
    assert "the mean" not in judged(2).sentence


def test_a_few_wild_rows_are_told_apart() -> None:
    y = RANDOM.normal(size=2000)
    y[:20] *= 8
    mean, std = np.zeros(2000), np.ones(2000)
    verdict = judge_calibration(mean, std, mean - 1.645, mean + 1.645, y, level=0.9, calibrate="cross")
    assert verdict.holds is True
    assert verdict.sentence.startswith("calibration holds for most of this data, 8")
    assert verdict.sentence.endswith("but a few rows are much farther off than std says: look at the worst of them")


def test_few_rows_are_not_judged() -> None:
    assert judged(5, 19).holds is None
    assert "19 rows with a target are too few to judge std" in judged(5, 19).sentence


def shifted(*titles: str, far: float) -> Shift:
    return Shift(far, 0.01, bool(titles), tuple(FeatureShift(title, 0.5, 1.0, 0.1, True) for title in titles))


def test_a_shift_in_words() -> None:
    assert judge_shift(shifted(far=0.012), [1.02]) == (
        "rows look like those of training (1% of rows lie farther out than 99% of the training rows); "
        "std is 1.02 times that of training"
    )
    noticed = judge_shift(shifted("a", "b", far=0.4), [1.8])
    assert noticed.startswith("rows differ from those of training, most in 'a', 'b' (40% of rows")
    assert noticed.endswith("the model noticed: std is 1.80 times that of training")
    assert judge_shift(shifted("a", far=0.4), [1.0]).endswith(
        "do not trust it here before rows with a target have confirmed it"
    )
