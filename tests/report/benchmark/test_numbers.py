from collections.abc import Callable
from math import isnan

import numpy as np
import pandas as pd
import pytest

from wdrop.report.benchmark.numbers import all_numbers, in_data_numbers, per_dataset_numbers, shift_numbers
from wdrop.report.benchmark.paper import allowed, paper_value
from wdrop.report.benchmark.scores import DATASETS, Score
from wdrop.report.benchmark.verdicts import Compared, by_chance
from wdrop.report.claims import Verdict

Make = Callable[..., pd.DataFrame]


def one(found: list[Compared], method: str, measure: str) -> Compared:
    [compared] = [c for c in found if (c.method, c.measure) == (method, measure)]
    return compared


def shifted(records: pd.DataFrame, method: str, measure: str, by: float) -> pd.DataFrame:
    records = records.copy()
    for column in ("ece", "ece_rounded") if measure == "ece" else (measure,):
        records.loc[records["method"] == method, column] += by
    return records


def test_how_much_may_differ() -> None:
    assert allowed("rmse", 0.5, 9.0) == pytest.approx(0.05)
    assert allowed("ece", 0.5, 0.01) == 0.08
    assert allowed("ws", 0.5, 0.1) == pytest.approx(0.3)
    assert allowed("nll", -3.0, float("nan")) == 0.2
    assert allowed("nll", 61.0, 0.1) == pytest.approx(12.2)


def test_the_papers_own_numbers_agree_with_themselves(make_records: Make) -> None:
    records = make_records([name for name in DATASETS if name != "year"], noise=0)
    found = [*per_dataset_numbers(records), *in_data_numbers(per_dataset_numbers(records))]
    assert len(found) == 13 * 36 + 36
    assert {c.verdict for c in found} == {Verdict.AGREES}


def test_a_rounded_ece_is_compared_with_the_rounded_one(make_records: Make) -> None:
    records = make_records(["yacht"], ["w_dropout"], noise=0).assign(ece=9.0)
    assert one(per_dataset_numbers(records), "w_dropout", "ece").verdict is Verdict.AGREES


def test_a_form_is_the_reason_only_if_its_run_agrees(make_records: Make) -> None:
    ours = shifted(make_records(["yacht"], ["pu", "swag"], noise=0.001), "pu", "ece", 0.5)
    ours = shifted(ours, "swag", "ece", 0.5)
    theirs = make_records(["yacht"], ["pu"], group="published", variant="as published", noise=0.001)
    found = per_dataset_numbers(pd.concat([ours, theirs]))
    confirmed = one(found, "pu", "ece")
    assert confirmed.verdict is Verdict.DIFFERS
    assert "softplus²" in confirmed.told
    assert "as published it is 0.863, which agrees" in confirmed.told
    assert one(found, "swag", "ece").verdict is Verdict.GUESS  # no run to tell
    wrong = shifted(theirs, "pu", "ece", -0.5)
    refuted = one(per_dataset_numbers(pd.concat([ours, wrong])), "pu", "ece")
    assert refuted.told == "unexplained (as published: 0.363)"


def test_chance_is_a_reason_where_folds_scatter_and_a_method_has_one_form(make_records: Make) -> None:
    quiet = shifted(make_records(["yacht"], ["w_dropout"], noise=0.001), "w_dropout", "rmse", 0.02)
    assert one(per_dataset_numbers(quiet), "w_dropout", "rmse").verdict is Verdict.UNEXPLAINED
    loud = make_records(["yacht"], ["w_dropout"])
    loud["rmse"] = 0.09 + 0.03 * (-1) ** loud["fold"]  # published: 0.075
    assert "random folds" in one(per_dataset_numbers(loud), "w_dropout", "rmse").told


def test_an_agreement_that_only_wide_errors_give_is_undecided(make_records: Make) -> None:
    wild = make_records(["diabetes"], ["pu"]).assign(nll=lambda rows: 8500.0 * (rows["fold"] == 0))
    found = one(per_dataset_numbers(wild), "pu", "nll")  # 850 ± 850, published: 1713
    assert found.told == "undecided: the spread of its folds is larger than the value"
    near = wild.assign(nll=2 * wild["nll"])  # as wide, yet it needs no errors to agree
    assert one(per_dataset_numbers(near), "pu", "nll").verdict is Verdict.AGREES
    calm = wild.assign(nll=1300.0 + 500 * (-1.0) ** wild["fold"])  # 1300 ± 167, published: 1713
    assert one(per_dataset_numbers(calm), "pu", "nll").verdict is Verdict.AGREES


def test_the_scatter_between_tenths_makes_nothing_agree(make_records: Make) -> None:
    calm = make_records(DATASETS, ["mc_dropout"], ["label", "pca"], noise=0.001)
    calm["ws"] = 1.5 + 0.5 * (-1.0) ** calm["fold"]  # 1.5, published: 1.207; a standard error of it would be 0.04
    found = one(shift_numbers(calm), "mc_dropout", "ws")
    assert found.verdict is Verdict.GUESS
    assert isnan(found.error)
    wild = calm.assign(nll=4e5 * ((calm["fold"] == 0) & (calm["dataset"] == "naval")))
    assert one(shift_numbers(wild), "mc_dropout", "nll").verdict is Verdict.UNDECIDED


def test_a_likelihood_of_another_law_is_the_reason_before_chance_and_spread(make_records: Make) -> None:
    records = make_records(["wine-red"], ["pu_evidential"]).assign(nll=lambda rows: 7360.0 * (rows["fold"] == 0))
    assert "Student-t" in one(per_dataset_numbers(records), "pu_evidential", "nll").told  # 736, published: 8.3


def test_heavy_tails_are_not_called_chance(make_records: Make) -> None:
    records = make_records(["protein"], ["w_dropout"])
    records["nll"] = 2.7 + 1.4 * (-1.0) ** (records["fold"] // 2)  # published: 0.07
    published = paper_value("uci", "iid-test", "protein", "w_dropout", "nll")
    found = one(per_dataset_numbers(records), "w_dropout", "nll")
    assert published is not None
    assert by_chance(Score(found.ours, found.ours, found.error, 5), "protein") > abs(found.ours - published)
    assert found.verdict not in (Verdict.CHANCE, Verdict.AGREES)


def test_con_mc_as_its_text_says_explains_no_published_number(make_records: Make) -> None:
    ours = shifted(make_records(["yacht"], ["concrete_dropout"], noise=0.001), "concrete_dropout", "ece", 0.5)
    text = make_records(["yacht"], ["concrete_dropout"], group="published", variant="as published", noise=0.001)
    assert one(per_dataset_numbers(pd.concat([ours, text])), "concrete_dropout", "ece").told == "unexplained"


def test_a_mean_takes_its_reason_from_its_data_sets(make_records: Make) -> None:
    records = make_records(["yacht", "boston"], ["w_dropout"], noise=0.001)
    records.loc[records["dataset"] == "yacht", "ece_rounded"] += 0.5
    found = one(in_data_numbers(per_dataset_numbers(records)), "w_dropout", "ece")
    assert found.place == "in-data, mean over 2 data sets"
    assert found.told == "unexplained (see yacht)"


def test_fewer_data_sets_are_only_a_guess_under_shift(make_records: Make) -> None:
    found = shift_numbers(make_records(["yacht"], ["w_dropout"], ["label", "pca"], noise=0.001))
    told = "the paper's mean is over 14 data sets; those missing here would need 0.653"
    assert one(found, "w_dropout", "rmse").told == f"unexplained ({told})"  # more than any that is here
    records = make_records([name for name in DATASETS if name != "year"], ["w_dropout"], ["label", "pca"])
    records["ws"] = np.where(records["dataset"] == "yacht", 6.0, 0.5)
    told = "the paper's mean is over 14 data sets; those missing here would need 4.842"
    assert one(shift_numbers(records), "w_dropout", "ws").told == f"differs, a guess: {told}"
    assert shift_numbers(make_records(["yacht"], ["w_dropout"], ["label"])) == []


def test_toys_and_tails_are_compared_too_and_no_records_give_none(make_records: Make) -> None:
    found = all_numbers(make_records(["toy-hf", "toy-noise"], ["w_dropout", "pu_mc"], ["iid"], noise=0))
    assert {c.table for c in found} == {"toy", "etl"}
    assert all(c.verdict is Verdict.AGREES for c in found if c.table == "toy")
    assert any(c.method == "ideal-normal" for c in found)
    assert all_numbers(pd.DataFrame()) == []
