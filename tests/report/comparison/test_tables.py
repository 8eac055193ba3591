from dataclasses import replace

import numpy as np

from wdrop.measures import crps
from wdrop.report.comparison.contestant import Contestant
from wdrop.report.comparison.figures import ranking_figure, reliability_grid_figure
from wdrop.report.comparison.page import lead
from wdrop.report.comparison.recommendation import recommend
from wdrop.report.comparison.tables import differences_table, fold_records, plain_scores, scores_tables
from wdrop.report.figures import png

RNG = np.random.default_rng(0)
FOLD = np.repeat(np.arange(4), 15)
Y = RNG.standard_normal((60, 1))
GOOD = Contestant("pu", "calibrated", "iid", FOLD, Y * 0.5, np.ones((60, 1)), Y, 1.0, 1 / 9)
POOR = replace(GOOD, method="swag", variant="raw", mean=-Y, n_floored=3)
ALL = [GOOD, POOR, replace(GOOD, split="label"), replace(POOR, split="label")]


def test_scores_are_means_over_folds() -> None:
    parts = [Y[15 * k : 15 * (k + 1)] for k in range(4)]
    by_hand = np.mean([crps(y * 0.5, np.ones((15, 1)), y) for y in parts])
    assert GOOD.score("crps") == by_hand


def test_raw_and_calibrated_forms_stand_in_tables_of_their_own_for_each_split() -> None:
    tables = scores_tables(ALL)
    assert [table.title for table in tables] == [
        "Rows at random, raw", "Rows at random, calibrated", "Shift along the target, raw",
        "Shift along the target, calibrated",
    ]  # fmt: skip
    assert tables[0].rows[0][0] == "SWAG"
    assert "3 values of std were nearly 0" in tables[0].note
    assert "nearly 0" not in tables[1].note


def test_a_terminal_has_names_to_type_and_no_more_than_eighty_columns() -> None:
    [table, *_] = scores_tables(ALL, narrow=True)
    assert table.rows[0][0] == "swag"
    assert 21 + sum(2 + max(7, len(heading)) for heading in table.headings[1:]) <= 84


def test_every_fold_is_kept_for_other_programs() -> None:
    lines = fold_records(ALL).csv().splitlines()
    assert lines[0].startswith("split,method,variant,fold,rmse")
    assert len(lines) == 1 + 4 * 4
    assert plain_scores([GOOD])[0]["method"] == "pu"


def test_the_lead_tells_the_first_split_with_its_reason_and_the_others_in_short() -> None:
    said = lead(ALL)
    assert said.startswith("Take calibrated parametric (PU): CRPS")
    assert said.endswith("Under shift along the target: take calibrated parametric (PU).")
    assert [row[-1] for row in differences_table(recommend(ALL[:2])).rows] == ["clearly worse"]


def test_figures_have_a_row_or_a_panel_for_each_method() -> None:
    figure = ranking_figure(ALL[:2], recommend(ALL[:2]))
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["parametric (PU)", "SWAG"]
    assert len(png(figure, dpi=40)) > 1000
    assert [ax.get_title() for ax in reliability_grid_figure(ALL[:2]).axes] == ["parametric (PU)", "SWAG"]


def test_one_wild_method_does_not_squeeze_the_others() -> None:
    wild = replace(GOOD, method="pu_mc", mean=Y + 1e6)
    axes = ranking_figure([GOOD, POOR, wild], recommend([GOOD, POOR, wild])).axes
    assert axes[0].get_xlim()[1] < 100
