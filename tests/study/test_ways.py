from typing import Any

import pytest

from wdrop.methods import CrossFitted
from wdrop.study.plan import parse_study
from wdrop.study.run import execute
from wdrop.study.ways import TRUTH

SHORT: dict[str, Any] = {
    "dataset": "toy-hf", "split": "iid-80/20", "net": {"width": 8}, "training": {"epochs": 2},
}  # fmt: skip


def test_a_dropout_network_is_asked_in_several_ways_after_one_fit() -> None:
    ways = [TRUTH, "200 draws", "closed_form", "linearised", "diagonal"]
    [run] = parse_study("t", {"groups": {"g": {**SHORT, "method": "w_dropout", "ways": ways}}}).runs
    outcome = execute(run)
    assert [(row["part"], row["way"]) for row in outcome.rows] == [("test", way) for way in ways]
    by_way = {row["way"]: row for row in outcome.rows}
    assert "gap_median" not in by_way[TRUTH]
    assert 0 < by_way["200 draws"]["gap_median"] < 0.25
    assert by_way["closed_form"]["gap_median"] < by_way["diagonal"]["gap_median"]
    assert outcome.arrays["0/test/closed_form/std"].shape == (200,)


def test_a_cross_fitted_method_is_calibrated_in_several_ways_after_one_fit() -> None:
    method = {"name": "w_dropout", "calibrate": {"n_folds": 2}}
    ways = ["raw", "scale", "ensemble raw", "ensemble scale"]
    plan = {"groups": {"g": {**SHORT, "method": method, "ways": ways}, "h": {**SHORT, "method": "w_dropout"}}}
    run, plain = parse_study("t", plan).runs
    assert isinstance(run.method, CrossFitted)
    raw, scaled, pooled, pooled_scaled = execute(run).rows
    assert raw["rmse"] == scaled["rmse"] == pytest.approx(execute(plain).rows[1]["rmse"], rel=1e-4)
    assert scaled["std_mean"] == pytest.approx(raw["std_mean"] * scaled["calibration_scale"], rel=1e-4)
    assert pooled["rmse"] == pooled_scaled["rmse"] != raw["rmse"]


def test_a_way_that_a_method_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown way 'closed', did you mean 'closed_form'\?"):
        parse_study("t", {"groups": {"g": {**SHORT, "method": "w_dropout", "ways": ["closed"]}}})


def test_runs_without_ways_keep_the_keys_they_always_had() -> None:
    [run] = parse_study("t", {"groups": {"g": {**SHORT, "method": "w_dropout"}}}).runs
    assert "ways" not in run.config()
