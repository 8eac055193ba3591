import pandas as pd
import pytest

from wdrop.report.closed_form.figures import farthest, growth_figure
from wdrop.report.closed_form.gaps import gaps_table, typical_gap
from wdrop.report.closed_form.paired import comparisons, worse_in_words
from wdrop.report.closed_form.rows import asked, study_rows
from wdrop.report.closed_form.scores import scores_table
from wdrop.report.closed_form.settings import with_usual
from wdrop.report.closed_form.shift import growths
from wdrop.report.closed_form.verdict import ranked, verdict


def test_gaps_are_told_for_each_training_and_way(records: pd.DataFrame) -> None:
    table = gaps_table(study_rows(records))
    assert table is not None
    found = {(row[1], row[2]): str(row[3]) for row in table.rows}
    assert found["closed form", "closed form"] == "30.000"
    assert found["last layer", "closed form"] == "1.000"
    assert ("closed form", "10,000 draws") not in found  # the truth has no gap


def test_folds_are_compared_in_pairs(records: pd.DataFrame) -> None:
    found = {(one.training, one.measure): one for one in comparisons(study_rows(records))}
    worse, better = found["closed form", "nll"], found["last layer", "nll"]
    assert worse.difference == pytest.approx(0.101)
    assert (worse.verdict, worse.n_worse, worse.n) == ("clearly worse", 3, 3)  # though folds differ by far more
    assert better.verdict == "clearly better"
    assert found["closed form", "rmse"].verdict == "not worse"
    closed, last = worse_in_words(list(found.values()))
    assert "clearly worse: yacht NLL +0.101 (0.067 to 0.168)" in closed
    assert "worse" not in last


def test_a_difference_that_chance_explains_is_called_so(records: pd.DataFrame) -> None:
    records.loc[(records["method"] == "w_dropout_closed") & (records["fold"] == 1), "nll"] -= 0.25
    found = {(one.training, one.measure): one for one in comparisons(study_rows(records))}
    assert found["closed form", "nll"].verdict == "worse, within chance"


def test_the_verdict_tells_who_may_trust_what(records: pd.DataFrame) -> None:
    rows = study_rows(records)
    assert next(iter(ranked(rows))) == ("last layer", "closed_form")
    text = " ".join(verdict(rows))
    assert "The best scores come from networks with dropout before the last layer alone and asked in one pass" in text
    assert "(last layer): the std told is the spread of its sub-networks, gap 1.0 %" in text
    assert "(closed form): the std told is not the spread of its sub-networks, gap 30.0 %" in text
    assert "(closed form, half drawn): not run on tables" in text


def test_scores_are_means_over_tables_that_all_trainings_have(records: pd.DataFrame) -> None:
    alone = records[records["method"] == "w_dropout"].assign(dataset="boston", nll=1000.0)
    table = scores_table(study_rows(pd.concat([records, alone])))
    assert table is not None
    assert "tables that all trainings have (yacht)" in table.note
    assert all(float(str(row[2])) < 1 for row in table.rows)


def test_growth_under_shift_is_against_random_folds(records: pd.DataFrame) -> None:
    shifted = records.assign(split="label", split_kind="extra", std_mean=0.5, rmse=0.6)
    [one] = {(g.std, g.rmse) for g in growths(study_rows(pd.concat([records, shifted])))}
    assert one == pytest.approx((2.5, 2.0))
    assert growths(study_rows(shifted)) == []  # nothing to hold it against


def test_a_varied_setting_stands_beside_the_usual_one_on_the_same_folds(records: pd.DataFrame) -> None:
    some = records[(records["fold"] == 0) & (records["method"] != "w_dropout")]
    deep = some.assign(group="depth=4", gap_median=0.6)
    rows = with_usual(study_rows(pd.concat([records, deep])), "depth", "tables")
    assert set(rows["fold"]) == {0}
    values = {(t, v) for t, v in zip(rows["training"], rows["value"], strict=True)}
    assert values == {("closed form", 2.0), ("closed form", 4.0), ("last layer", 3.0), ("last layer", 4.0)}
    at_four = asked(rows[(rows["value"] == 4) & (rows["training"] == "closed form")], "closed_form")
    assert typical_gap(at_four)[0] == pytest.approx(60)


def test_a_setting_beyond_the_limit_is_told_with_its_gap_and_its_data_sets(records: pd.DataFrame) -> None:
    low = records[records["method"] == "w_dropout_closed"].assign(group="p=0.05", gap_median=0.01, gap_q95=0.02)
    text = " ".join(verdict(study_rows(pd.concat([records, low]))))
    assert "closed form: p = 0.05, not 0.1 (gap 30.0 % and 60.0 %), on yacht alone" in text


def test_each_panel_of_growth_has_its_own_axes_and_the_farthest_set_is_named(records: pd.DataFrame) -> None:
    shifted = [
        records.assign(split=split, split_kind="extra", std_mean=0.5 * factor, rmse=0.6)
        for split, factor in (("label", 1), ("pca", 40))
    ]
    rows = study_rows(pd.concat([records, *shifted]))
    figure = growth_figure(rows)
    assert figure is not None
    label, pca = figure.axes
    assert label.get_ylim()[1] < 5 < 100 < pca.get_ylim()[1]
    assert farthest(rows) == "Farthest off: along the label yacht, along the principal axis yacht."


def test_records_read_back_from_csv_give_the_same(records: pd.DataFrame, tmp_path: object) -> None:
    records.to_csv(f"{tmp_path}/records.csv", index=False)
    assert verdict(study_rows(pd.read_csv(f"{tmp_path}/records.csv"))) == verdict(study_rows(records))
