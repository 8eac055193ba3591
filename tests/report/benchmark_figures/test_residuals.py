import numpy as np
import pytest

from wdrop.report.benchmark_figures.residuals import COLUMNS, Judged, ideal_residuals_figure, residuals_figure, shares
from wdrop.report.figures import png

RNG = np.random.default_rng(0)


def honest(n: int = 300, factor: float = 1.0) -> Judged:
    std = RNG.uniform(0.5, 1.5, n)
    return Judged(std * RNG.standard_normal(n), factor * std, np.zeros(n))


def test_shares_count_residuals_within_one_and_three_std() -> None:
    judged = Judged(np.array([0.5, -1.0, 2.0, 4.0]), np.ones(4), np.zeros(4))
    assert shares(judged) == (0.5, 0.75)
    assert shares(honest(100_000)) == pytest.approx((0.683, 0.997), abs=0.005)


def test_rows_are_data_sets_and_columns_methods_as_in_the_paper() -> None:
    judged = {(dataset, method): honest() for dataset in ("naval", "abalone") for method in sorted(COLUMNS)}
    del judged["abalone", "pu"]
    figure = residuals_figure(judged)
    assert [ax.get_title() for ax in figure.axes[:6]] == ["PU", "PU-DE", "W-dropout", "MC", "MC-LL", "DE"]
    assert [figure.axes[i].get_ylabel() for i in (0, 6)] == ["naval\nstd", "abalone\nstd"]
    assert figure.axes[6].texts[0].get_text() == "not run"
    assert len(png(figure, dpi=40)) > 1000


def test_one_wild_method_does_not_flatten_the_others() -> None:
    judged = {("naval", method): honest() for method in COLUMNS}
    judged["naval", "pu"] = honest(factor=1000)
    figure = residuals_figure(judged)
    assert figure.axes[1].get_ylim()[1] < 10
    assert "↑ 100 %" in [text.get_text() for text in figure.axes[0].texts]


def test_the_ideal_one_has_the_right_shares() -> None:
    texts = [text.get_text() for text in ideal_residuals_figure().axes[0].texts]
    assert texts == ["68 %", "99.8 %"]


def test_nothing_to_show_is_no_error() -> None:
    assert len(residuals_figure({}).axes) == 1
