from collections.abc import Callable

import pandas as pd
import pytest

from wdrop.measures import floor
from wdrop.report.calibrations.aims import best_published, brings, held_to_aims
from wdrop.report.calibrations.arrows import arrows_figure, raw_and_calibrated
from wdrop.report.calibrations.cuts import cuts_table
from wdrop.report.calibrations.factors import factors_table
from wdrop.report.calibrations.means import complete, iid_place, means_table, per_table, shifted_place
from wdrop.report.calibrations.rows import TABLES, judged
from wdrop.report.tables import Cell, Table

Make = Callable[..., pd.DataFrame]


def value(table: Table, row: int, column: int) -> float:
    cell = table.all_rows[row][column]
    assert isinstance(cell, Cell)
    return cell.value


def test_means_are_over_data_sets_with_the_floor_beside(make_records: Make) -> None:
    rows = judged(make_records(methods=("pu", "w_dropout")))
    raw, scaled = (means_table(iid_place(rows), way) for way in ("raw", "scale"))
    assert raw is not None
    assert scaled is not None
    assert [row[0] for row in raw.all_rows] == ["W-dropout", "PU", "perfect forecaster"]
    ece = raw.headings.index("ECE")
    expected = rows[(rows["way"] == "raw") & (rows["method"] == "w_dropout")].groupby("dataset")["ece"].mean().mean()
    assert value(raw, 0, ece) == pytest.approx(expected)
    assert value(scaled, 0, ece) < 0.7 * value(raw, 0, ece)
    assert value(raw, 2, ece) == pytest.approx(floor("ece", 100))


def test_a_method_that_misses_a_data_set_is_left_out_of_means_and_named(make_records: Make) -> None:
    rows = judged(make_records(methods=("pu", "w_dropout")))
    partly = rows[(rows["method"] == "w_dropout") | (rows["dataset"] == "boston")]
    means, single = means_table(iid_place(partly), "raw"), per_table(iid_place(partly), "raw")
    assert means is not None
    assert single is not None
    assert [row[0] for row in means.all_rows] == ["W-dropout", "perfect forecaster"]
    assert "not run on all of them: PU" in means.note
    assert ["boston", "PU"] in [list(row[:2]) for row in single.rows]


def test_means_over_different_data_sets_are_never_put_side_by_side() -> None:
    pairs = [("pu", "boston"), ("pu", "yacht"), ("w_dropout", "yacht"), ("w_dropout", "energy")]
    index = pd.MultiIndex.from_tuples(pairs, names=["method", "dataset"])
    kept, left_out = complete(pd.DataFrame({"nll": [1.0, 2.0, 3.0, 4.0]}, index))
    assert list(kept["nll"]) == [3.0, 4.0]
    assert left_out == ["pu"]


def test_shifts_count_only_where_all_four_were_run(make_records: Make) -> None:
    both = make_records(datasets=("boston", "energy"), splits=("label", "pca"))
    without_pca = both[~((both["dataset"] == "energy") & (both["split"] == "pca"))]
    place = shifted_place(judged(without_pca))
    assert set(place.scores.index.get_level_values("dataset")) == {"boston"}
    here = judged(both)
    here = here[(here["dataset"] == "boston") & (here["method"] == "pu") & (here["way"] == "raw")]
    assert place.scores.loc[("pu", "boston", "raw"), "ws"] == pytest.approx(here["ws"].mean())


def test_aims_count_on_all_eleven_tables_and_an_ece_must_meet_them_rounded_too(make_records: Make) -> None:
    rows = judged(make_records())
    held = {(one.method, one.way): one for one in held_to_aims(rows, ["robust_scale", "raw"])}
    assert ("pu", "raw") not in held  # aims are W-dropout's
    best, raw = held["w_dropout", "robust_scale"], held["w_dropout", "raw"]
    assert best.n_tables == len(TABLES) == 11
    assert best.verdict == "all met"
    assert raw.verdict == "misses NLL, ECE, WS"
    told = brings(best, list(held.values()))
    assert told.startswith(f"W-dropout, raw → calibrated: WS {raw.means['ws']:.2f} → {best.means['ws']:.2f}, ECE")
    assert told.endswith("(mean over 11 of 11 tables, random folds); all aims are met.")
    some = held_to_aims(rows[rows["dataset"] != "naval"], ["robust_scale"])
    assert some[0].verdict == "all met (only 10 of 11 tables)"
    rows["ece_rounded"] = 0.43
    assert held_to_aims(rows, ["robust_scale"])[0].missed == ["ece"]


def test_the_best_published_means_over_the_eleven_tables() -> None:
    best = best_published()
    assert [round(best[name], 3) for name in ("rmse", "nll", "ece_rounded", "ws")] == [0.369, -0.508, 0.564, 0.470]


def test_cuts_are_compared_on_the_folds_that_all_have(make_records: Make) -> None:
    usual = make_records(methods=("w_dropout_closed",))
    cut = make_records(("boston", "concrete"), ("w_dropout_closed",), group="choose_cut", variant="cut along PCA")
    cut[["nll", "ece", "ws"]] *= 3
    table = cuts_table(judged(pd.concat([usual, cut])), "scale")
    assert table is not None
    assert [row[:2] for row in table.rows] == [["test", "random"], ["test", "cut along PCA"]]
    assert value(table, 1, 3) == pytest.approx(3 * value(table, 0, 3))
    assert "Means over boston, concrete" in table.note
    assert cuts_table(judged(usual), "scale") is None


def test_factors_tell_how_far_off_raw_std_is(make_records: Make) -> None:
    table = factors_table(judged(make_records()))
    assert table is not None
    assert list(table.headings[1:]) == list(TABLES)
    assert value(table, 0, 1) == pytest.approx(2.0)


def test_arrows_go_from_raw_to_calibrated(make_records: Make) -> None:
    rows = judged(make_records(methods=("w_dropout", "pu")))
    places = [iid_place(rows), shifted_place(rows)]
    pairs = raw_and_calibrated(places[0], "robust_scale")
    assert (pairs["ws"] < pairs["ws_raw"]).all()
    figure = arrows_figure(places, "robust_scale")
    left, right = figure.axes
    assert len(left.texts) == 2  # one arrow for each method
    assert not right.axison  # nothing was run there
