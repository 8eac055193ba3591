from collections.abc import Callable
from math import isnan, sqrt

import pandas as pd
import pytest

from wdrop.report.calibrations.choice import choose
from wdrop.report.calibrations.confirmation import Confirmed, confirm, contests
from wdrop.report.calibrations.rows import W_FAMILY, judged

Make = Callable[..., pd.DataFrame]
GOOD_SCALE = {"raw": 2.0, "scale": 1.0, "robust_scale": 1.2, "ensemble raw": 1.8, "ensemble scale": 1.1}


def test_the_way_of_lowest_mean_rank_is_chosen_and_the_best_of_each_kind_is_known(make_records: Make) -> None:
    choice = choose(judged(make_records()))
    assert choice is not None
    assert list(choice.ranks.index) == ["robust_scale", "ensemble scale", "scale", "ensemble raw", "raw"]
    assert list(choice.ranks) == [1, 2, 3, 4, 5]
    assert (choice.best, choice.refit, choice.ensemble) == ("robust_scale", "robust_scale", "ensemble scale")
    assert choice.n_cells == 6 * 3


def test_confirming_tables_and_shifts_have_no_say(make_records: Make) -> None:
    rows = judged(make_records(splits=("iid", "label"), factors={"confirm": GOOD_SCALE}))
    rows.loc[rows["split"] == "label", ["nll", "ece", "ws"]] *= -1
    choice = choose(rows)
    assert choice is not None
    assert choice.best == "robust_scale"


def test_the_family_chooses_by_itself(make_records: Make) -> None:
    ours = make_records(methods=("w_dropout",), factors={"choose": GOOD_SCALE})
    theirs = make_records(methods=("pu", "pu_mc", "mc_dropout"))
    rows = judged(pd.concat([ours, theirs]))
    family, all_of_them = choose(rows, W_FAMILY), choose(rows)
    assert family is not None
    assert all_of_them is not None
    assert (family.best, family.methods) == ("scale", ["w_dropout"])
    assert all_of_them.best == "robust_scale"


def test_a_tie_goes_to_the_simpler_way(make_records: Make) -> None:
    rows = judged(make_records())
    rows[["nll", "ece", "ws"]] = 0.3
    choice = choose(rows)
    assert choice is not None
    assert choice.best == "raw"


def test_pairs_that_miss_a_way_do_not_choose(make_records: Make) -> None:
    rows = judged(make_records())
    half = rows[~((rows["dataset"] == "boston") & (rows["way"] == "scale"))]
    choice = choose(half)
    assert choice is not None
    assert choice.n_cells == 5 * 3
    assert choose(rows[rows["group"] == "confirm"]) is None


def test_differences_are_paired_by_fold_and_judged_by_their_standard_error(make_records: Make) -> None:
    rows = judged(make_records(datasets=("boston", "concrete", "kin8nm"), methods=("pu",)))
    difference = {("concrete", 0): -0.5, ("concrete", 5): -0.3, ("kin8nm", 0): -0.2, ("kin8nm", 5): 0.1}
    for (dataset, fold), value in difference.items():
        here = (rows["dataset"] == dataset) & (rows["fold"] == fold)
        level = 10.0 * fold + len(dataset)  # whatever a fold's own level, it falls out
        rows.loc[here & (rows["way"] == "raw"), "ece"] = level
        rows.loc[here & (rows["way"] == "robust_scale"), "ece"] = level + value
    choice = choose(rows)
    assert choice is not None
    [found] = [one for one in confirm(rows, choice) if (one.other, one.measure) == ("raw", "ece")]
    assert found.mean == pytest.approx((-0.4 - 0.05) / 2)
    assert found.error == pytest.approx(sqrt(0.02 / 2 + 0.045 / 2) / 2)
    assert (found.sets_better, found.n_sets, found.folds_better, found.n_folds) == (2, 2, 3, 4)
    assert found.verdict == "confirmed"


def test_a_choice_that_the_other_tables_turn_down_is_told_so(make_records: Make) -> None:
    rows = judged(make_records(factors={"confirm": GOOD_SCALE}))
    choice = choose(rows)
    assert choice is not None
    assert contests(choice) == [("robust_scale", "raw"), ("robust_scale", "scale"), ("ensemble scale", "robust_scale")]
    verdicts = {(one.way, one.other, one.measure): one.verdict for one in confirm(rows, choice)}
    assert verdicts["robust_scale", "raw", "nll"] == "confirmed"
    assert verdicts["robust_scale", "scale", "nll"] == "contradicted"
    assert verdicts["robust_scale", "raw", "rmse"] == "equal"
    assert verdicts["ensemble scale", "robust_scale", "rmse"] == "confirmed"


def test_a_single_fold_cannot_tell(make_records: Make) -> None:
    rows = judged(make_records())
    choice = choose(rows)
    assert choice is not None
    found = confirm(rows[(rows["fold"] == 0) | (rows["group"] == "choose")], choice)
    assert all(isnan(one.error) and one.verdict in ("cannot be told", "equal") for one in found)
    assert Confirmed("a", "b", "nll", -0.1, 0.06, 1, 1, 2, 2).verdict == "cannot be told"
