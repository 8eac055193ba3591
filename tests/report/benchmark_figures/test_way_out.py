import numpy as np
import pytest

from wdrop.report.benchmark_figures.way_out import WayOut, binned_means, growth, growths_told, way_out_figure
from wdrop.report.figures import METHOD_COLOURS, png

X = np.linspace(0, 10, 200)
WAY = WayOut(X, np.where(X > 8, 3.0, 1.0), 8.0)


def test_bins_hold_equally_many_points_from_left_to_right() -> None:
    shuffled = np.random.default_rng(0).permutation(60)
    x, y = binned_means(shuffled.astype(float), 2.0 * shuffled, n_bins=4)
    assert x.tolist() == [7.0, 22.0, 37.0, 52.0]
    assert y.tolist() == [14.0, 44.0, 74.0, 104.0]
    assert [len(part) for part in binned_means(np.arange(12.0), np.arange(12.0))] == [2, 2]
    assert [len(part) for part in binned_means(np.zeros(0), np.zeros(0))] == [0, 0]


def test_no_bin_reaches_over_the_edge_of_training() -> None:
    figure = way_out_figure({("california", "label", "w_dropout"): WAY})
    lines = [line for line in figure.axes[0].lines if line.get_color() == METHOD_COLOURS["w_dropout"]]
    assert [set(np.asarray(line.get_ydata()).tolist()) for line in lines[1:]] == [
        {1.0},
        {3.0},
    ]  # a mixed bin would lie between
    assert growth(WAY) == "std outside ×3.00"
    assert growth(WayOut(X, X, 11.0)) == ""


def test_rows_are_directions_columns_data_sets_and_gaps_stay_blank() -> None:
    ways = {
        ("california", "pca", "mc_dropout"): WAY,
        ("california", "label", "w_dropout"): WAY,
        ("concrete", "label", "mine"): WAY,
    }
    figure = way_out_figure(ways)
    axes = figure.axes
    assert [ax.get_title() for ax in axes] == ["california", "concrete", "", ""]
    assert [ax.axison for ax in axes] == [True, True, True, False]
    assert [ax.get_xlabel().split()[0] for ax in axes] == ["label:", "label:", "projection", "projection"]
    assert len(png(figure, dpi=40)) > 1000
    assert not way_out_figure({}).axes[0].axison


def test_no_line_leaves_the_frame_and_what_is_cut_is_counted() -> None:
    rare = WayOut(X, np.where(X > 9.9, 100.0, 1.0), 8.0)  # so few that no quantile sees them, yet they make a mean
    ax = way_out_figure({("boston", "pca", "w_dropout"): rare}).axes[0]
    lines = [line for line in ax.lines if line.get_color() == METHOD_COLOURS["w_dropout"]]
    assert max(np.asarray(line.get_ydata()).max() for line in lines[1:]) < ax.get_ylim()[1]
    assert "2 of 200 points\nlie outside the frame" in [text.get_text() for text in ax.texts]


def test_a_std_that_falls_outside_is_told_in_the_caption() -> None:
    falls = WayOut(X, np.where(X > 8, 0.5, 1.0), 8.0)
    told = growths_told({("boston", "label", "w_dropout"): WAY, ("boston", "pca", "mc_dropout"): falls})
    assert told.endswith("boston along the label W-dropout ×3.00; boston along the principal axis MC ×0.50.")


@pytest.mark.parametrize("name", ["w_dropout", "mine"])
def test_a_stranger_is_drawn_under_its_own_name(name: str) -> None:
    texts = way_out_figure({("a", "label", name): WAY}).legends[0].get_texts()
    assert texts[0].get_text() == {"w_dropout": "Wasserstein dropout"}.get(name, name)
