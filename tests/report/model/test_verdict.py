import numpy as np
import pytest

from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.verdict import Findings, verdict


def forecasts(n: int = 400, factor: float = 1.0, shift: float = 0.0, telling: bool = True) -> Forecasts:
    """Rows whose std is `factor` times the true one, and follows it or is the same for all."""
    rng = np.random.default_rng(1)
    true = rng.uniform(0.2, 2.0, n)
    y = rng.permutation(true) * rng.standard_normal(n) if not telling else true * rng.standard_normal(n)
    return Forecasts.of(np.full(n, shift), factor * true, true[:, None], ["noise"], target="price", y=y)


def test_an_honest_std_is_believed() -> None:
    said = verdict(forecasts())
    assert said.startswith("Std can be believed on this data: the 90 % intervals hold ")
    assert "Std tells hard rows from easy ones" in said


def test_a_std_too_small_is_told_with_its_size_and_its_cure() -> None:
    said = verdict(forecasts(n=4000, factor=0.7))
    assert said.startswith(("Std is 29 % too small", "Std is 30 % too small", "Std is 31 % too small"))
    assert "refit with calibrate=cross" in said
    assert "rows lie further than 3 std off" in said


def test_what_to_do_about_it_is_for_the_caller_to_say() -> None:
    said = verdict(forecasts(factor=0.5), advice="take other rows")
    assert "too small on this data: take other rows; the 90 % intervals hold" in said
    assert "calibrate=cross" not in said


def test_a_std_too_large_is_told() -> None:
    assert "% too large on this data, for most rows: refit" in verdict(forecasts(factor=2.0))


@pytest.mark.parametrize(("shift", "side"), [(1.0, "high"), (-1.0, "low")])
def test_predictions_that_lie_to_one_side_are_told(shift: float, side: str) -> None:
    assert f"Predictions of price are too {side}" in verdict(forecasts(shift=shift))


def test_a_std_that_says_nothing_of_rows_is_told() -> None:
    assert "Std hardly tells hard rows from easy ones" in verdict(forecasts(telling=False))


def test_few_rows_leave_much_open() -> None:
    assert not Findings.of(forecasts(n=10)).is_off
    assert Findings.of(forecasts(n=4000, factor=1.15)).is_off
