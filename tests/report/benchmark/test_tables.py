from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from wdrop.measures import floor
from wdrop.report.benchmark.facts import datasets_table, seconds_table
from wdrop.report.benchmark.per_dataset import as_published_table, details_table, per_dataset_table
from wdrop.report.benchmark.scores import PAPER_METHODS
from wdrop.report.benchmark.summaries import confidence_table, in_data_table, out_of_data_table, panels_table
from wdrop.report.benchmark.tables import TABLES, benchmark_tables
from wdrop.report.benchmark.tails import etl_table, tail_error_table, tail_rows
from wdrop.report.published import published
from wdrop.report.tables import Cell, Table

Make = Callable[..., pd.DataFrame]


def cell(table: Table | None, row: str, heading: str) -> Cell:
    assert table is not None
    [found] = [line for line in table.all_rows if row == line[0] or row in line[:2]][:1]
    value = found[list(table.headings).index(heading)]
    assert isinstance(value, Cell)
    return value


def test_every_table_of_no_records_is_none_or_empty_and_never_a_crash(make_records: Make) -> None:
    for records in (make_records(["yacht"]).head(0), pd.DataFrame(), make_records(["yacht"], group="other")):
        made = benchmark_tables(records)
        assert set(made) == {"datasets"}
        assert all(row[4] == "not run" for row in made["datasets"].rows)


def test_all_tables_come_of_full_records_and_print_everywhere(make_records: Make) -> None:
    records = pd.concat(
        [
            make_records(["yacht", "boston", "power"], splits=["iid", "label", "pca"]),
            make_records(["toy-hf", "toy-noise"], splits=["iid", "label", "pca"]),
            make_records(["yacht"], ["pu"], group="published", variant="as published"),
        ]
    )
    made = benchmark_tables(records)
    assert set(made) == set(TABLES)
    for table in made.values():
        assert all(len(row) == len(table.headings) for row in table.rows)
        assert table.title in table.markdown()
        assert table.csv().count("\n") == len(table.all_rows) + 1
        assert table.latex().startswith(r"\begin{")


def test_the_large_table_has_the_papers_layout_and_value(make_records: Make) -> None:
    table = per_dataset_table(make_records(["yacht", "power"], noise=0))
    assert table is not None
    assert len(table.rows) == 14 * 4
    assert [str(cell) for cell in table.rows[-1][:3]] == ["WS", "year", "– (2.848)"]
    assert table.headings[2:] == ["SWAG", "DE", "PU", "PU-EV", "PU-DE", "PU-MC", "CON-MC", "MC", "W-dropout"]
    assert cell(table, "RMSE", "W-dropout") == Cell(0.075, 0.075)
    wanted = published("uci", "iid-test", "yacht", "pu_evidential", "nll")
    assert wanted is not None
    assert cell(table, "NLL", "PU-EV").published == pytest.approx(wanted - 1.917, abs=1e-3)
    details = details_table(make_records(["yacht"], ["w_dropout"], seeds=[0, 1, 2]))
    assert details is not None
    assert details.rows[0][-1] == "30"
    assert cell(details, "yacht", "± RMSE").value > 0


def test_means_over_data_sets_stand_beside_the_papers_over_the_same(make_records: Make) -> None:
    table = in_data_table(make_records(["yacht", "power"], noise=0))
    w = cell(table, "W-dropout", "ECE")
    assert w.value == pytest.approx((1.113 + 0.264) / 2)
    assert w.published == pytest.approx(w.value)
    rounded = floor("ece", 100, rounded=True)  # as the column is
    assert cell(table, "perfect forecaster", "ECE").value == pytest.approx(rounded) != floor("ece", 100)
    assert cell(details_table(make_records(["yacht"])), "yacht", "ECE floor").value == rounded
    intervals = confidence_table(make_records(["yacht", "power"], noise=0))
    assert intervals is not None
    assert any("[0.264, 1.113]" in row for row in intervals.cells())


def test_shift_is_the_mean_of_four_and_needs_all_four(make_records: Make) -> None:
    both = make_records(["yacht"], splits=["label", "pca"], noise=0)
    table = out_of_data_table(both)
    stretch = (1.6 + 1.6 * 1.3 + 1.3 + 1.3 * 1.3) / 4  # as the fixture makes them
    assert cell(table, "W-dropout", "RMSE").value == pytest.approx(0.075 * stretch)
    assert cell(table, "W-dropout", "RMSE").published == 0.615
    assert out_of_data_table(make_records(["yacht"], splits=["label"])) is None
    panels = panels_table(both, "rmse")
    assert panels is not None
    assert list(panels.headings) == ["method", "label-extra", "label-inter", "pca-extra", "pca-inter"]


def test_tail_losses_count_one_seed_and_leave_year_out(make_records: Make) -> None:
    records = pd.concat(
        [
            make_records(["yacht"], ["w_dropout"], seeds=[0, 1, 2]),
            make_records(["toy-noise", "year"], ["w_dropout"], ["iid", "pca"]),
        ]
    )
    assert len(tail_rows(records).query("split == 'iid'")) == 15
    table = etl_table(records)
    assert table is not None
    assert [row[1] for row in table.rows] == ["iid", "iid", "pca", "pca"]
    assert [row[0] for row in table.rows] == ["mean ETL", "max ETL"] * 2
    assert cell(table, "mean ETL", "W-dropout").published == 4.68
    assert cell(table, "max ETL", "W-dropout").value > cell(table, "mean ETL", "W-dropout").value
    errors = tail_error_table(records)
    assert cell(errors, "iid", "ratio").value == pytest.approx(3)


def test_seconds_are_per_fold_and_relative_to_mc_dropout(make_records: Make) -> None:
    table = seconds_table(make_records(["yacht", "power"]))
    assert cell(table, "W-dropout", "seconds, small sets").value == pytest.approx(5)
    assert cell(table, "W-dropout", "× MC dropout").value == pytest.approx(2.5)


def test_data_sets_have_their_facts_and_floors(make_records: Make) -> None:
    table = datasets_table(make_records(["yacht"]))
    assert len(table.rows) == 14
    assert [str(text) for text in table.rows[0][:6]] == ["yacht", "6", "308", "residuary resistance", "100", "10"]
    assert cell(table, "yacht", "WS floor").value == floor("ws", 100)


def test_the_perfect_forecaster_under_shift_is_a_mean_of_four_as_the_scores_are(make_records: Make) -> None:
    records = make_records(["yacht"], splits=["label", "pca"])
    records["n_test"] = np.where((records["split"] == "label") & (records["split_kind"] == "extra"), 10, 1000)
    table = out_of_data_table(records)
    wanted = (floor("ws", 10) + 3 * floor("ws", 1000)) / 4  # not one of 109 points, nor that of 40 folds alike
    assert cell(table, "perfect forecaster", "WS").value == pytest.approx(wanted)


def test_con_mc_as_published_is_told_to_be_the_papers_text(make_records: Make) -> None:
    table = as_published_table(make_records(["yacht"], ["concrete_dropout"], group="published", variant="as published"))
    assert table is not None
    assert [row[1] for row in table.rows] == ["CON-MC"]
    assert "code" not in table.title
    assert "of CON-MC alone it is what the paper's text says" in table.note


def test_published_forms_have_a_table_of_their_own(make_records: Make) -> None:
    assert as_published_table(make_records(["yacht"])) is None
    table = as_published_table(make_records(["yacht"], ["pu", "swag"], group="published", variant="as published"))
    assert table is not None
    assert [row[1] for row in table.rows] == ["SWAG", "PU"]
    assert len(PAPER_METHODS) == 9
