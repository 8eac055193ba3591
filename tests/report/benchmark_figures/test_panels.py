import numpy as np
import pandas as pd
import pytest

from wdrop.report.benchmark_figures.circumstances import CIRCUMSTANCES, with_circumstance
from wdrop.report.benchmark_figures.panels import MEASURE_PAIRS, methods_figure
from wdrop.report.benchmark_figures.summary import MEAN, MEDIAN, marks, short
from wdrop.report.figures import png


def test_marks_are_mean_median_and_quartiles_over_data_sets(records: pd.DataFrame) -> None:
    test = records[(records["split"] == "iid") & (records["part"] == "test") & (records["method"] == "w_dropout")]
    per_dataset = [some["ece"].mean() for _, some in test.groupby("dataset")]
    mark = marks(with_circumstance(records), "method", "ece")["test", "w_dropout"]
    assert mark.n == 4
    quantiles = np.quantile(per_dataset, [0.25, 0.5, 0.75])
    assert [mark.mean, mark.low, mark.median, mark.high] == pytest.approx([np.mean(per_dataset), *quantiles])


def test_a_row_for_each_measure_and_a_panel_for_each_circumstance(records: pd.DataFrame) -> None:
    for measures in MEASURE_PAIRS:
        figure = methods_figure(records, measures)
        titles = [ax.get_title() for ax in figure.axes]
        assert titles == [some.title for some in CIRCUMSTANCES.values()] + [""] * 6
        labels = [label.get_text() for label in figure.axes[-1].get_xticklabels()]
        assert labels == ["MC", "W-dropout"]
        crosses = [[line.get_marker() for line in ax.lines].count("x") for ax in figure.axes]
        assert crosses == [2] * 12
    assert len(png(figure, dpi=40)) > 1000


def test_a_mean_beyond_the_axis_is_written_and_missing_sets_are_counted(records: pd.DataFrame) -> None:
    records.loc[(records["method"] == "mc_dropout") & (records["dataset"] == "yacht"), "nll"] = 1.2e7
    fewer = records[(records["method"] != "w_dropout") | (records["dataset"] != "boston")]
    ax = methods_figure(fewer, ("nll",)).axes[1]
    assert ax.get_ylim()[1] < 100
    assert sorted(text.get_text() for text in ax.texts) == ["3", "3.0·10$^{6}$"]
    assert {text.get_text(): text.get_position()[1] > 1 for text in ax.texts} == {"3": False, "3.0·10$^{6}$": True}


def test_a_median_beyond_the_axis_is_told_as_a_mean_is_and_its_whisker_has_no_end(records: pd.DataFrame) -> None:
    wild = (records["method"] == "mc_dropout") & (records["split"] == "label")
    records.loc[wild, "nll"] = 50.0
    records = pd.concat([records, *(records[records["method"] != "mc_dropout"].assign(method=m) for m in "abcdef")])
    ax = methods_figure(records, ("nll",)).axes[2]
    arrows = [line.get_color() for line in ax.lines if line.get_marker() == "^"]
    assert arrows == [MEAN, MEDIAN]
    assert [text.get_text() for text in ax.texts] == ["50", "50"]
    segments = np.stack([np.asarray(path.vertices) for lines in ax.collections for path in lines.get_paths()])
    levels = segments[segments[:, 0, 0] < segments[:, 1, 0]]
    assert levels[:, :, 1].max() < ax.get_ylim()[1]


def test_only_the_wanted_variant_is_drawn(records: pd.DataFrame) -> None:
    published = records[records["method"] == "mc_dropout"].assign(variant="as published")
    both = pd.concat([records, published])
    for variant, expected in (("", ["MC", "W-dropout"]), ("as published", ["MC"])):
        ax = methods_figure(both, variant=variant).axes[-1]
        assert [label.get_text() for label in ax.get_xticklabels()] == expected


def test_what_was_not_run_leaves_a_gap(records: pd.DataFrame) -> None:
    in_data = methods_figure(records[records["split"] == "iid"])
    told = [[text.get_text() for text in ax.texts] for ax in in_data.axes[:6]]
    assert told == [[], []] + [["not run"]] * 4
    assert all(ax.texts for ax in methods_figure(records.iloc[:0]).axes)


def test_long_numbers_become_powers_of_ten() -> None:
    assert [short(value) for value in (0.5, 4.26, 27.6, 148.0, 999.0, 1.47e7)] == [
        "0.50", "4.3", "28", "150", "1.0·10$^{3}$", "1.5·10$^{7}$",
    ]  # fmt: skip
