import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import kstest, norm

from wdrop.measures import ece, etl, ks, ws

Residuals = NDArray[np.float64]


def of(measure: object, residuals: object, **options: object) -> float:
    """A measure of given residuals: std 1, y 0."""
    r = np.asarray(residuals, dtype=float)
    return measure(r, np.ones_like(r), np.zeros_like(r), **options)  # type: ignore[operator]


def ideal(n: int) -> Residuals:
    """The n quantiles of N(0, 1), as close to it as n points can be."""
    return norm.ppf((np.arange(n) + 0.5) / n)


some_residuals = st.lists(st.floats(-50, 50), min_size=1, max_size=60)


@given(some_residuals, st.integers(1, 40))
def test_ece_counts_what_a_loop_over_bins_counts(residuals: list[float], n_bins: int) -> None:
    u = norm.cdf(residuals)
    expected = 0.0
    for j in range(n_bins):
        low, high = np.linspace(0, 1, n_bins + 1)[j : j + 2]
        inside = (u >= low) & ((u < high) if j < n_bins - 1 else (u <= high))
        expected += abs(inside.mean() - 1 / n_bins)
    assert of(ece, residuals, n_bins=n_bins) == pytest.approx(expected)


def test_ece_from_perfect_to_worst() -> None:
    assert of(ece, ideal(2000)) == pytest.approx(0, abs=1e-9)
    assert of(ece, [0.01] * 10) == pytest.approx(1.9)  # all in one of 20 bins
    assert of(ece, [-1e9, 1e9]) == pytest.approx(1.8)  # half in the first, half in the last


def test_the_published_rounding_gives_a_perfect_forecaster_two_percent() -> None:
    assert of(ece, ideal(100_000), rounded=True) == pytest.approx(0.02, abs=1e-3)


@given(some_residuals)
def test_ws_is_the_integral_over_quantiles(residuals: list[float]) -> None:
    u = (np.arange(200_000) + 0.5) / 200_000
    quantiles = np.sort(residuals)[(u * len(residuals)).astype(int)]
    assert of(ws, residuals) == pytest.approx(np.abs(quantiles - norm.ppf(u)).mean(), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("n", [1, 2, 7, 5000])
def test_ws_agrees_with_a_fine_quantile_grid_to_six_digits(n: int) -> None:
    residuals = np.random.default_rng(n).standard_t(3, size=n)
    u = (np.arange(2_000_000) + 0.5) / 2_000_000
    quantiles = np.sort(residuals)[(u * n).astype(int)]
    assert of(ws, residuals) == pytest.approx(np.abs(quantiles - norm.ppf(u)).mean(), abs=3e-6)


def test_ws_of_shifted_stretched_and_vanishing_residuals() -> None:
    """|m| for N(m, 1), 0.798 |s - 1| for N(0, s): all zero scores sqrt(2/pi), where the paper says 1."""
    r = ideal(200_000)
    assert of(ws, r + 3) == pytest.approx(3, abs=1e-3)
    assert of(ws, 4 * r) == pytest.approx(3 * np.sqrt(2 / np.pi), abs=1e-3)
    assert of(ws, [0.0]) == pytest.approx(np.sqrt(2 / np.pi))


def test_clipping_tames_an_outlier() -> None:
    r = np.append(ideal(999), 1e6)
    assert of(ws, r) > 900
    assert of(ws, r, clip=10) < 0.02
    with pytest.raises(ValueError, match="clip above 0, got 0"):
        of(ws, r, clip=0)


@given(some_residuals)
def test_ks_is_scipys(residuals: list[float]) -> None:
    assert of(ks, residuals) == pytest.approx(kstest(residuals, "norm").statistic)


def test_etl_is_the_mean_of_the_tail() -> None:
    assert of(etl, ideal(1_000_000)) == pytest.approx(2.8919, abs=1e-3)  # 2 φ(q) / 0.01, q = Φ⁻¹(0.995)
    assert of(etl, range(101)) == 100  # up to 101 points, the largest alone
    assert of(etl, -np.arange(1000.0)) == pytest.approx(np.arange(990, 1000).mean())
    assert of(etl, range(11), level=0.5) == 8


def test_etl_without_a_tail_is_nan_and_not_zero_which_reads_as_perfect() -> None:
    assert np.isnan(of(etl, [2.0]))
    assert np.isnan(of(etl, [2.0] * 50))


def test_levels_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"level in \[0, 1\), got 1"):
        of(etl, [1.0, 2.0], level=1)
    with pytest.raises(ValueError, match="n_bins of at least 1, got 0"):
        of(ece, [1.0], n_bins=0)
