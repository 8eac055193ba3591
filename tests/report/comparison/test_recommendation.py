from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_rel

from wdrop.report.comparison.contestant import Contestant, Variant
from wdrop.report.comparison.recommendation import holm, recommend


def contestant(
    method: str,
    *,
    error: float,
    seconds: float = 1.0,
    variant: Variant = "calibrated",
    noise: int = 0,
    split: str = "iid",
) -> Contestant:
    """Ten folds of 40 rows; the mean is off by noise of that size on top of what nobody can know."""
    rng = np.random.default_rng(5)
    y = rng.standard_normal((400, 1))
    mean = error * np.random.default_rng(noise).standard_normal((400, 1))
    std = np.full((400, 1), np.hypot(1, error))
    return Contestant(method, variant, split, np.repeat(np.arange(10), 40), mean, std, y, seconds, 1 / 9)


def test_a_method_that_is_better_in_all_folds_is_recommended_with_its_reason() -> None:
    found = recommend([contestant("pu", error=2.0), contestant("swag", error=0.1), contestant("mine", error=1.5)])
    assert found.is_clear
    assert found.best.method == "swag"
    assert found.text.startswith("Take calibrated SWAG: CRPS ")
    assert "The next best, calibrated mine, has CRPS" in found.text
    assert "is worse in 10 of 10 folds (p = below 0.001)" in found.text
    assert found.short == "take calibrated SWAG"


def test_methods_that_differ_by_chance_have_no_winner() -> None:
    found = recommend([contestant("pu", error=0.3, noise=1), contestant("swag", error=0.3, noise=2)])
    assert not found.is_clear
    assert found.text.startswith("No clear winner: ")
    assert "these folds cannot tell it from" in found.text
    assert found.short.startswith("no clear winner among 2 methods")


def test_of_two_that_cannot_be_told_apart_the_much_quicker_one_is_begun_with() -> None:
    pair = [contestant("pu", error=0.3, noise=1), contestant("swag", error=0.3, noise=2)]
    best, other = sorted(pair, key=lambda one: one.score("crps"))
    found = recommend([replace(best, seconds=90.0), replace(other, seconds=9.0)])
    assert f"Begin with {other.name}: it trains in 9 s instead of 90 s" in found.text
    found = recommend([replace(best, seconds=9.0), replace(other, seconds=90.0)])
    assert f"Begin with {best.name}; none" in found.text


def test_each_method_stands_with_its_better_form() -> None:
    raw = replace(contestant("pu", error=0.1), variant="raw")
    found = recommend([raw, contestant("pu", error=2.0), contestant("swag", error=1.0)])
    assert found.best is raw
    assert [one.contestant.method for one in found.differences] == ["swag"]


def test_the_plain_paired_test_is_more_sure_than_ours() -> None:
    one, other = contestant("pu", error=0.3, noise=1), contestant("swag", error=0.6, noise=2)
    [found] = recommend([one, other]).differences
    plain = ttest_rel(other.scores["crps"], one.scores["crps"])
    assert found.mean == pytest.approx(float(np.mean(other.scores["crps"] - one.scores["crps"])))
    wider = np.sqrt((1 / 10 + 1 / 9) / (1 / 10))  # folds share training rows
    interval = plain.confidence_interval()
    assert found.high - found.low == pytest.approx(wider * (interval.high - interval.low))
    assert found.p > plain.pvalue


def test_holms_correction_against_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_splits_are_not_mixed_and_nothing_is_no_contest() -> None:
    with pytest.raises(ValueError, match="recommend for each split by itself"):
        recommend([contestant("pu", error=1), contestant("pu", error=1, split="pca")])
    with pytest.raises(ValueError, match="at least one contestant"):
        recommend([])


def test_one_method_alone_is_told_as_such() -> None:
    assert recommend([contestant("pu", error=1)]).text.startswith("Only calibrated parametric (PU) was tried: CRPS")
