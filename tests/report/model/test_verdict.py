import subprocess
import sys

import numpy as np
import pytest

from wdrop.data.shift import FeatureShift, Shift
from wdrop.report.model.verdict import StdVerdict, advice_for, as_prose, judge_shift, judge_std

RANDOM = np.random.default_rng(0)
NOT_CALIBRATED = advice_for(None)


def judged(error: float, n: int = 1000, *, bias: float = 0.0, advice: str = NOT_CALIBRATED) -> StdVerdict:
    """The verdict on a std of 2 for Gaussian errors `error` times as large."""
    y = 2 * (error * RANDOM.normal(size=n) + bias)
    return judge_std(np.zeros(n), np.full(n, 2.0), y, advice=advice)


def test_honest_std_holds() -> None:
    verdicts = [judged(1, n) for n in (20, 100, 1000) for _ in range(20)]
    assert sum(verdict.holds is False for verdict in verdicts) <= 2
    assert sum("; " in verdict.sentence for verdict in verdicts) <= 2  # nothing is added without need
    assert judged(1, 10_000).sentence == "calibration holds on this data: 90% of rows lie in the 90% interval"


@pytest.mark.parametrize(("error", "size"), [(1 / 0.7, "30% too small"), (0.5, "100% too large")])
def test_the_size_of_what_is_wrong_is_told(error: float, size: str) -> None:
    verdict = judged(error, 100_000)
    assert verdict.holds is False
    assert verdict.factor == pytest.approx(error, rel=0.02)
    assert verdict.typical == pytest.approx(error, rel=0.02)
    assert verdict.sentence.startswith(f"std is {size} on this data: refit with calibrate=cross")
    assert ("rows lie more than 3 std off, 270.0 would be expected" in verdict.sentence) == (error > 1)


def test_what_to_do_depends_on_who_calibrated() -> None:
    assert (
        "too small on this data, although it was calibrated in training" in judged(2, advice=advice_for("x")).sentence
    )
    alike = judged(2, advice=advice_for("x", look_alike=True)).sentence
    assert ", although it was calibrated at rows with such features: refit with these rows as well" in alike
    said = judged(0.5, advice=advice_for("cross", same_rows=True)).sentence
    assert said.endswith("look at them, or refit with calibrate=robust_scale")


def test_a_mean_that_is_off_is_told_apart() -> None:
    assert "; the mean is too low here, by 2.0 std on average" in judged(1, bias=2).sentence
    assert "; the mean is too high here, by 0.3 std on average" in judged(1, 10_000, bias=-0.3).sentence
    assert "the mean" not in judged(2).sentence


def test_a_few_wild_rows_are_told_apart() -> None:
    y = RANDOM.normal(size=2000)
    y[:20] *= 8
    verdict = judge_std(np.zeros(2000), np.ones(2000), y, advice=advice_for("cross"))
    assert verdict.holds is True
    assert verdict.sentence.startswith("calibration holds for most of this data, 8")
    assert "but a few rows are much farther off than std says: look at the worst of them; " in verdict.sentence
    assert verdict.n_far == int((np.abs(y) > 3).sum())
    assert f"{verdict.n_far} of 2000 rows lie more than 3 std off, 5.4 would be expected" in verdict.sentence


def test_the_models_own_interval_counts_where_it_has_one() -> None:
    y, zeros = RANDOM.normal(size=1000), np.zeros(1000)
    assert judge_std(zeros, zeros + 1, y, advice=NOT_CALIBRATED).coverage == pytest.approx(0.9, abs=0.03)
    told = judge_std(zeros, zeros + 1, y, coverage=0.7, advice=NOT_CALIBRATED)
    assert (told.coverage, told.holds) == (0.7, False)


def test_few_rows_are_not_judged() -> None:
    assert judged(5, 19).holds is None
    assert judged(5, 19).sentences() == ["19 rows with a target are too few to judge std; bring 20"]


def test_whether_std_tells_hard_rows_from_easy_ones() -> None:
    std = RANDOM.uniform(0.2, 2, 400)
    telling = judge_std(np.zeros(400), std, std * RANDOM.normal(size=400), advice=NOT_CALIBRATED)
    assert telling.contrast is not None
    assert telling.contrast > 3
    assert telling.remark.startswith("std tells hard rows from easy ones: errors are ")
    blind = judge_std(np.zeros(400), std, RANDOM.permutation(std) * RANDOM.normal(size=400), advice=NOT_CALIBRATED)
    assert blind.remark.startswith("std hardly tells hard rows from easy ones: it is ")
    assert judged(1).remark == "std is much the same for all rows, and so are errors"
    assert telling.sentences("price") == [f"for price: {telling.sentence}", f"for price: {telling.remark}"]


def test_prose_has_capitals_and_full_stops() -> None:
    assert as_prose(["std is fine", "rows differ"]) == "Std is fine. Rows differ."


def shifted(*titles: str, far: float) -> Shift:
    features = tuple(FeatureShift(title, 0.5, 1.0, 0.1, True, 0.0, 1.0) for title in titles)
    return Shift(far, 0.01, bool(titles), features)


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


def test_targets_decide_whether_std_can_be_trusted_after_a_shift() -> None:
    shift = shifted("a", far=0.4)
    assert judge_shift(shift, [1.0], [judged(1)]).endswith(
        "std is 1.00 times that of training, and the targets confirm it"
    )
    assert judge_shift(shift, [1.0], [judged(1), judged(3)]).endswith(", and the targets say that it does not hold")
    assert judge_shift(shift, [1.0], [judged(1, 10)]).endswith("before rows with a target have confirmed it")


def test_the_command_line_can_judge_without_figures_or_torch() -> None:
    code = "import sys, wdrop.report.model.verdict; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(loaded) & {"torch", "matplotlib", "scipy"}
