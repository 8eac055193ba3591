from collections.abc import Callable
from io import StringIO
from math import isnan, sqrt

import numpy as np
import pandas as pd
import pytest

from wdrop.measures import floor
from wdrop.report.benchmark.scores import (
    bootstrap_interval,
    comparable,
    done,
    floor_of,
    main_form,
    on_panel,
    per_dataset,
    published_form,
    score,
)

Make = Callable[..., pd.DataFrame]


def test_a_score_is_mean_median_and_standard_error_over_folds_and_seeds() -> None:
    rows = pd.DataFrame({"ws": [1.0, 2.0, 6.0, np.nan], "n_test": [30] * 4})
    found = score(rows, "ws")
    assert (found.mean, found.median, found.n) == (3.0, 2.0, 3)
    assert found.error == pytest.approx(np.std([1, 2, 6], ddof=1) / sqrt(3))
    assert found.spread == pytest.approx(np.std([1, 2, 6], ddof=1))
    assert floor_of(rows, "ws") == floor("ws", 30)
    assert isnan(floor_of(rows.assign(rmse=1.0), "rmse"))  # depends on the data
    assert score(rows, "nll").n == 0


def test_a_floor_is_that_of_the_measure_in_the_column_and_the_mean_over_folds() -> None:
    rows = pd.DataFrame({"ece": [0.1] * 4, "ece_rounded": [0.1] * 4, "n_test": [10, 10, 10, 1000]})
    assert floor_of(rows, "ece") == pytest.approx((3 * floor("ece", 10) + floor("ece", 1000)) / 4)
    assert floor_of(rows, "ece_rounded") == pytest.approx(
        (3 * floor("ece", 10, rounded=True) + floor("ece", 1000, rounded=True)) / 4
    )


def test_the_bootstrap_interval_covers_the_true_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    intervals = [bootstrap_interval(rng.standard_normal(40), n_resamples=300) for _ in range(200)]
    assert 0.88 <= np.mean([low <= 0 <= high for low, high in intervals]) <= 0.99


def test_forms_and_panels_are_told_apart_also_after_a_trip_through_csv(make_records: Make) -> None:
    ours = make_records(["yacht"], ["pu"], ["iid", "label"])
    theirs = make_records(["yacht"], ["pu"], group="published", variant="as published")
    failed = ours.head(1).assign(status="failed", rmse=99.0)
    records = pd.concat([ours, theirs, failed])
    read = pd.read_csv(StringIO(records.to_csv(index=False)))
    assert read["variant"].isna().any()
    assert len(done(read)) == len(ours) + len(theirs)
    assert len(main_form(read)) == len(ours)
    assert set(published_form(read)["group"]) == {"published"}
    assert sorted(on_panel(main_form(read), "label-extra")["fold"]) == [0, 9]
    assert len(on_panel(main_form(read), "label-inter")) == 8
    assert set(on_panel(main_form(read), "train")["part"]) == {"train"}
    with pytest.raises(ValueError, match="did you mean 'label-inter'"):
        on_panel(read, "label-intr")


def test_data_sets_that_a_method_of_the_paper_misses_are_not_compared(make_records: Make) -> None:
    records = pd.concat(
        [
            make_records(["yacht", "boston"], ["w_dropout", "mc_dropout", "mine"]),
            make_records(["energy"], ["w_dropout", "mine"]),
        ]
    ).query("not (dataset == 'boston' and method == 'mine')")
    table = comparable(per_dataset(main_form(records), "rmse"))
    assert list(table.index) == ["yacht", "boston"]
    assert list(table.columns) == ["mc_dropout", "w_dropout"]
    assert per_dataset(main_form(records), "no such column").empty
