import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdrop.estimators.budget import budget_for


def test_the_batch_grows_with_the_table_and_the_number_of_steps_does_not() -> None:
    batches = [budget_for(n) for n in (1_000, 10_000, 100_000, 1_000_000)]
    assert [budget.batch_size for budget in batches] == [100, 100, 317, 1000]
    assert all(9_900 < budget.n_steps < 10_200 for budget in batches)


def test_small_tables_are_seen_a_thousand_times_at_most() -> None:
    assert budget_for(277) == (1000, 55, 5000)


@given(st.integers(5, 10**6))
def test_a_fold_of_cross_fitting_makes_four_fifths_of_the_steps(n: int) -> None:
    """Else its networks would be trained for less long than the one whose residuals they stand for."""
    batch = budget_for(n).batch_size
    share = (n * 4 // 5) // batch / (n // batch)
    assert 0.6 <= share <= 0.85
    if n >= 100:
        assert share >= 0.75


@pytest.mark.parametrize(
    ("n", "regime", "epochs"),
    [(308, "paper", 1000), (1599, "paper", 1000), (4177, "paper", 150), (308, "paper-large", 150)],
)
def test_the_papers_regimes(n: int, regime: str, epochs: int) -> None:
    assert budget_for(n, epochs=regime)[:2] == (epochs, 100)


def test_what_is_given_holds() -> None:
    assert budget_for(1000, epochs=7, batch_size=50) == (7, 50, 140)
    assert budget_for(1000, n_steps=30, batch_size=100) == (3, 100, 30)
    with pytest.raises(ValueError, match="batch_size of at least 1, got 0"):
        budget_for(10, batch_size=0)
