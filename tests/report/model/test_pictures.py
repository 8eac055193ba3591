"""Each picture and table of a model's page, on forecasts whose faults are known."""

import numpy as np
import pytest

from wdrop.data.shift import FeatureShift, TrainingRows, shift_of
from wdrop.report.figures import png
from wdrop.report.model.calibration import calibration_figure
from wdrop.report.model.coverage import LEVELS, coverage_table, coverages
from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.reliability import observed_shares
from wdrop.report.model.residuals import MOST_DOTS, residuals_scatter
from wdrop.report.model.scores import scores_table
from wdrop.report.model.sharpness import sharpness_figure
from wdrop.report.model.shift import shift_figure, shift_table
from wdrop.report.model.std_by_feature import bins_of, explained, std_by_feature_figure, top_features
from wdrop.report.model.worst import worst_table
from wdrop.report.tables import Cell

RNG = np.random.default_rng(0)


def forecasts(n: int = 300, factor: float = 1.0) -> Forecasts:
    x = np.column_stack([RNG.normal(size=n), RNG.uniform(1, 3, n), np.ones(n), RNG.integers(0, 2, n)])
    y = x[:, 0] + x[:, 1] * RNG.standard_normal(n)
    return Forecasts.of(x[:, 0], factor * x[:, 1], x, ["size", "age", "constant", "flag"], target="price", y=y)


def test_shares_and_coverages_of_an_honest_forecaster_are_the_levels() -> None:
    z = RNG.standard_normal(200_000)
    assert observed_shares(z) == pytest.approx(np.linspace(0, 1, 101), abs=0.01)
    assert coverages(z) == pytest.approx(LEVELS, abs=0.01)


def test_forecasts_too_high_lie_above_the_diagonal_and_small_std_is_flat() -> None:
    z = RNG.standard_normal(5000)
    assert observed_shares(z + 1)[50] > 0.8
    narrow = observed_shares(z * 2)
    assert narrow[10] > 0.2
    assert narrow[90] < 0.8


def test_the_calibration_figure_colours_promises_kept_and_broken() -> None:
    kept, broken = (calibration_figure(forecasts(2000, factor)).axes[1] for factor in (1.0, 0.4))
    colours = [{line.get_color() for line in ax.lines if line.get_marker() == "o"} for ax in (kept, broken)]
    assert "#2b8a3e" in colours[0]
    assert colours[1] == {"#d9480f"}


def test_coverage_is_told_with_the_width_it_costs() -> None:
    table = coverage_table(forecasts(5000))
    assert [row[0] for row in table.rows] == ["50 %", "68.3 %", "80 %", "90 %", "95 %", "99 %"]
    widths = [cell.value for row in table.rows if isinstance(cell := row[2], Cell)]
    assert widths[3] == pytest.approx(2 * 1.645 * 2, rel=0.05)


def test_scores_stand_beside_those_of_a_perfect_forecaster() -> None:
    rows = {str(row[0]): row for row in scores_table(forecasts(200)).rows}
    assert str(rows["RMSE"][2]) == "–"
    assert float(str(rows["90 % coverage"][2])) == pytest.approx(0.9, abs=0.02)


def test_std_is_explained_by_the_feature_that_it_comes_from() -> None:
    made = forecasts(1000)
    assert top_features(made)[0] == 1
    assert 2 not in top_features(made)  # constant
    assert explained(made.x[:, 1], made.std) > 0.9
    assert abs(explained(made.x[:, 0], made.std)) < 0.05
    figure = std_by_feature_figure(made)
    assert figure is not None
    assert figure.axes[0].get_title() == "age"
    assert len(png(figure, dpi=40)) > 1000


def test_features_that_never_vary_leave_no_picture() -> None:
    made = Forecasts.of(np.zeros(5), np.ones(5), np.ones((5, 1)), ["constant"])
    assert std_by_feature_figure(made) is None


def test_bins_hold_all_rows_once() -> None:
    for values in (RNG.normal(size=500), RNG.integers(0, 4, 500).astype(float), np.repeat([0.0, 1.0], [499, 1])):
        rows = np.concatenate([group.rows for group in bins_of(values)])
        assert sorted(rows) == list(range(500))


def test_the_worst_rows_come_first_and_are_named_as_the_user_counts() -> None:
    made = Forecasts.of([0, 0, 0.0], [1, 1, 0.1], np.eye(3), ["a", "b", "c"], y=[1, -2, 5.0], rows=[7, 8, 9])
    table = worst_table(made)
    assert [row[0] for row in table.rows] == ["9", "8", "7"]
    assert [float(str(row[4])) for row in table.rows] == pytest.approx([-50, 2, -1])
    assert len(worst_table(forecasts()).rows) == 20


def test_dots_tell_their_row_and_lie_in_their_group() -> None:
    scatter = residuals_scatter(Forecasts.of([1, 2, 4.0], [1.5, 1, 1], np.zeros((3, 1)), ["a"], y=[0, 0, 0.0]))
    assert [dot.group for dot in scatter.dots] == ["within 1 std", "1 to 3 std off", "more than 3 std off"]
    assert scatter.dots[2].text == "row 3\ny 0\nforecast 4 ± 1\n4.0 std off"
    assert scatter.n_outside == 0
    assert "33 % of the rows, 68.3 % would be right" in scatter.note


def test_of_many_rows_some_are_drawn_and_the_far_ones_all() -> None:
    made = forecasts(6000)
    scatter = residuals_scatter(made)
    assert len(scatter.dots) == MOST_DOTS
    assert sum(dot.group == "more than 3 std off" for dot in scatter.dots) == int((np.abs(made.z) > 3).sum())
    assert "1,500 of 6,000 rows are drawn" in scatter.note


def test_sharpness_shows_training_std_where_it_is_known() -> None:
    legend = sharpness_figure(forecasts(), np.ones(50)).axes[0].get_legend()
    assert legend is not None
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels[-1] == "std of the training rows"
    assert any(label.startswith("root mean squared error") for label in labels)


def test_a_shift_is_shown_where_it_was_made() -> None:
    before = RNG.normal(size=(400, 2))
    after = RNG.normal(size=(300, 2)) + np.array([0, 2])
    shifts = shift_of(TrainingRows.of(before, ["same", "moved"]), [after]).features
    [far, near] = shift_table(shifts).rows
    assert (far[0], near[0]) == ("moved", "same")
    means = [before[:, 1].mean(), before[:, 1].std(), after[:, 1].mean()]
    assert [cell.value for cell in far[1:4] if isinstance(cell, Cell)] == pytest.approx(means)
    [ax] = shift_figure(shifts).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["moved", "same"]
    dots = [line.get_color() for line in ax.lines if line.get_marker() == "o"]
    assert dots[0] == "#d9480f" != dots[1]


def test_a_constant_that_moved_is_shown_in_its_own_units() -> None:
    [moved] = shift_of(TrainingRows.of(np.ones((50, 1)), ["fixed"]), [np.full((20, 1), 3.0)]).features
    assert moved == FeatureShift("fixed", 1.0, 2.0, 1.0, True, 1.0, 0.0)
    assert moved.new_mean == 3
    assert len(png(shift_figure([moved]), dpi=40)) > 1000


def test_forecasts_with_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 3 rows as in mean, x with 1 features"):
        Forecasts.of([1, 2, 3.0], [1, 1, 1.0], np.zeros((2, 1)), ["a"])


def test_a_std_of_zero_is_judged_as_a_tiny_one() -> None:
    made = Forecasts.of([0, 0.0], [0, 1.0], np.zeros((2, 1)), ["a"], y=[1, -1.0])
    assert np.isfinite(made.z).all()
    assert made.z[0] == pytest.approx(-1e5)
