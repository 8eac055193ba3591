from collections.abc import Callable

import pandas as pd
import pytest

from wdrop.report.detection.comparisons import intervals_table, ratios_table
from wdrop.report.detection.control import control_table
from wdrop.report.detection.corrupted import corrupted_table
from wdrop.report.detection.domains import domains_table
from wdrop.report.detection.in_data import in_data_table
from wdrop.report.detection.scores import scores_table
from wdrop.report.tables import Cell, Table

MAIN = "samples-kmeans"


def rows(table: Table | None) -> dict[str, list[str]]:
    assert table is not None
    return {cells[0]: cells[1:] for cells in table.cells()}


def test_the_in_data_table_has_train_and_test_columns_and_the_paper_beside(records: pd.DataFrame) -> None:
    table = in_data_table(records, "kitti-mini", MAIN)
    found = rows(table)
    assert table is not None
    assert table.headings[1:4] == ["MC, train", "W, train", "W closed form, train"]
    assert table.headings[5] == "MC, test"
    assert found["matched"][0] == "1,234"
    ece = dict(zip(table.headings[1:], found["ECE, mean"], strict=True))
    assert ece["MC, test"] == "2.100 (0.825)"
    assert ece["W, train"] == "1.050 (0.193)"
    assert ece["W closed form, test"] == "0.525"  # not in the paper
    assert ece["W L=10, test"] == "1.050"  # nor is this
    assert found["NLL x"][table.headings.index("MC, test") - 1] == "2.100 (34.827)"
    assert "MC 2, W 2" in table.note


def test_other_data_and_protocols_have_no_published_value(records: pd.DataFrame) -> None:
    for dataset, protocol in (("carla", MAIN), ("kitti-mini", "closed_form")):
        table = in_data_table(records, dataset, protocol)
        assert table is not None
        assert all(cell.published is None for row in table.rows for cell in row if isinstance(cell, Cell))


@pytest.mark.parametrize("make", [in_data_table, ratios_table, control_table, intervals_table, corrupted_table])
def test_protocols_never_share_a_table(
    make: Callable[[pd.DataFrame, str, str], Table | None], records: pd.DataFrame
) -> None:
    alone = records[records["protocol"] == MAIN]
    assert make(records, "kitti-mini", MAIN) == make(alone, "kitti-mini", MAIN)
    assert make(alone, "kitti-mini", "closed_form") is None
    table = make(records, "kitti-mini", "closed_form")
    assert table is not None
    assert "matched" in table.headings or "matched" in rows(table)
    assert any("recall" in heading for heading in table.headings) or "recall" in rows(table)


def test_an_ece_is_rounded_wherever_the_papers_stands_beside_it(records: pd.DataFrame) -> None:
    rounded = records.assign(ece_rounded=records["ece"] + records["method"].map({"mc": 2.0}).fillna(0.2))
    ratios = rows(ratios_table(rounded, "kitti-mini", MAIN))
    assert ratios["W"][1].startswith("0.30 ")  # (1.05 + 0.2) / (2.1 + 2.0)
    assert ratios["W"][0].startswith("0.50 ")
    corrupted = corrupted_table(rounded, "kitti-mini", MAIN)
    assert corrupted is not None
    assert "4.100 (0.825)" in [str(value) for value in corrupted.rows[0]]


def test_ratios_are_of_means_and_each_seed_has_its_twin(records: pd.DataFrame) -> None:
    found = rows(ratios_table(records, "kitti-mini", MAIN))
    assert found["W"][:4] == ["0.50 (0.50–0.50)"] * 4
    assert found["W closed form"][0] == "0.25 (0.25–0.25)"
    assert found["the paper, whole data set, W"][:5] == ["0.25", "0.52", "0.32", "0.43", "-0.001"]
    without = records[records["method"] != "mc"]
    assert ratios_table(without, "kitti-mini", MAIN) is None


def test_ratios_of_one_seed_have_no_range_and_no_word_of_it(records: pd.DataFrame) -> None:
    table = ratios_table(records[records["seed"] == 0], "kitti-mini", MAIN)
    assert rows(table)["W"][:4] == ["0.50"] * 4  # a trailing blank would have it sorted as text
    assert table is not None
    assert table.note == "Mean over seeds: MC 1, W 1, W closed form 1, W L=10 1. ECE is rounded as the paper's is."


@pytest.mark.parametrize("make", [in_data_table, ratios_table, control_table, intervals_table, corrupted_table])
def test_every_column_has_a_heading_to_click(
    make: Callable[[pd.DataFrame, str, str], Table | None], records: pd.DataFrame
) -> None:
    tables = [make(records, "kitti-mini", MAIN), domains_table(records, MAIN)]
    assert all(table is not None and "" not in table.headings for table in tables)


def test_what_one_factor_leaves(records: pd.DataFrame) -> None:
    assert rows(control_table(records, "kitti-mini", MAIN))["MC"][:5] == ["1.050"] * 4 + ["1.500"]


def test_every_run_has_its_interval(records: pd.DataFrame) -> None:
    table = intervals_table(records, "kitti-mini", MAIN)
    assert table is not None
    assert len(table.rows) == 8
    assert table.rows[0][4] == "2.000 [1.900, 2.100]"


def test_corrupted_pictures_stand_beside_clean_ones(records: pd.DataFrame) -> None:
    table = corrupted_table(records, "kitti-mini", MAIN)
    assert table is not None
    lines = [[str(cell) for cell in row] for row in table.rows]
    ece = table.headings.index("ECE")
    assert [line[ece] for line in lines if line[:2] == ["defocus-blur 1", "MC"]] == ["2.100 (1.034)"]
    assert [line[ece] for line in lines if line[:2] == ["clean", "MC"]] == ["2.100 (0.825)"]
    clean = records[records["corruption"] == "clean"]
    assert corrupted_table(clean, "kitti-mini", MAIN) is None


def test_domains_are_told_with_what_they_were_trained_on(records: pd.DataFrame) -> None:
    table = domains_table(records, MAIN)
    assert table is not None
    rmse = table.headings.index("RMSE")
    lines = {tuple(map(str, row[:3])): str(row[rmse]) for row in table.rows}
    assert lines["MC", "kitti-mini", "kitti-mini"] == "2.100"
    assert lines["MC", "kitti-mini", "carla"] == "10.500"


def test_scores_of_one_detector() -> None:
    scores = dict.fromkeys(("recall", "miou", "rmse", "std", "nll", "ece", "ws", "etl"), 0.5) | {"n_matched": 12.0}
    assert rows(scores_table("mine", {"clean": scores}))["clean"] == ["12", *["0.500"] * 8]
