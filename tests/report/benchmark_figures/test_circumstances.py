import numpy as np
import pandas as pd
import pytest

from wdrop.methods import METHODS
from wdrop.report.benchmark_figures.circumstances import CIRCUMSTANCES, methods_in_order, over_folds, with_circumstance


def test_six_circumstances_and_no_training_rows_of_a_shift(records: pd.DataFrame) -> None:
    rows = with_circumstance(records)
    assert set(rows["circumstance"]) == set(CIRCUMSTANCES)
    assert rows.loc[rows["part"] == "train", "split"].unique().tolist() == ["iid"]
    assert (rows["circumstance"] == "label-extra").sum() == 2 * 4 * 2


def test_failed_runs_and_shifts_without_kind_do_not_count(records: pd.DataFrame) -> None:
    records.loc[records["split"] == "pca", "split_kind"] = np.nan
    records.loc[records["dataset"] == "yacht", "status"] = "failed"
    records["variant"] = np.nan  # as a csv gives an empty column back
    rows = with_circumstance(records)
    assert set(rows["circumstance"]) == {"train", "test", "label-extra", "label-inter"}
    assert "yacht" not in set(rows["dataset"])
    assert set(rows["variant"]) == {""}


def test_folds_are_averaged_and_what_is_not_finite_left_out(records: pd.DataFrame) -> None:
    here = (records["dataset"] == "yacht") & (records["split"] == "iid") & (records["part"] == "test")
    records.loc[here & (records["method"] == "w_dropout"), "nll"] = [1.0, 4.0]
    records.loc[here & (records["method"] == "mc_dropout"), "nll"] = [np.inf, np.nan]
    scores = over_folds(with_circumstance(records), "method", "nll").set_index(["method", "circumstance", "dataset"])
    assert scores.loc[("w_dropout", "test", "yacht"), "nll"] == 2.5
    assert ("mc_dropout", "test", "yacht") not in scores.index
    assert len(scores) == 2 * 6 * 4 - 1


def test_a_measure_nobody_knows_is_refused(records: pd.DataFrame) -> None:
    rows = with_circumstance(records)
    assert over_folds(rows, "method", "crps").empty
    with pytest.raises(ValueError, match="unknown measure 'rsme', did you mean 'rmse'"):
        over_folds(rows, "method", "rsme")


def test_methods_stand_as_in_the_paper_and_strangers_last() -> None:
    assert methods_in_order(["mine", "w_dropout", "pu", "swag", "pu"]) == ["swag", "pu", "w_dropout", "mine"]
    assert sorted(methods_in_order(METHODS)) == sorted(METHODS)
