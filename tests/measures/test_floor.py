import pytest

from wdrop.measures import floor


@pytest.mark.parametrize(
    ("n", "ece", "ws", "etl"),
    [(30, 0.65, 0.23, 2.33), (50, 0.50, 0.19, 2.53), (159, 0.28, 0.10, 2.75), (956, 0.12, 0.04, 2.87)],
)
def test_floors_of_test_folds_of_real_tables(n: int, ece: float, ws: float, etl: float) -> None:
    """Known values, from an independent simulation."""
    assert floor("ece", n) == pytest.approx(ece, abs=0.02)
    assert floor("ws", n) == pytest.approx(ws, abs=0.015)
    assert floor("etl", n) == pytest.approx(etl, abs=0.08)


def test_coverage_has_no_bias() -> None:
    assert floor("coverage", 100) == pytest.approx(0.9, abs=0.005)


def test_quantiles_surround_the_mean() -> None:
    assert floor("ws", 50, quantile=0.05) < floor("ws", 50) < floor("ws", 50, quantile=0.95)


def test_a_rounded_ece_has_a_floor_of_its_own() -> None:
    """Known value on many points: two decimals do not fall evenly into twenty bins."""
    assert 0.02 < floor("ece", 100_000, rounded=True, n_repeats=20) < 0.035
    assert floor("ece", 100_000, n_repeats=20) < 0.015
    with pytest.raises(ValueError, match="rounded=True for 'ece' alone, got it for 'ws'"):
        floor("ws", 50, rounded=True)


def test_it_is_the_same_every_time() -> None:
    first = floor("ks", 77)
    floor.cache_clear()
    assert floor("ks", 77) == first


def test_measures_that_depend_on_the_data_have_none() -> None:
    with pytest.raises(ValueError, match="unknown measure with a floor 'rmse'"):
        floor("rmse", 50)
    with pytest.raises(ValueError, match="n of at least 1, got 0"):
        floor("ece", 0)
    with pytest.raises(ValueError, match=r"quantile in \[0, 1\], got 2"):
        floor("ece", 5, quantile=2)
