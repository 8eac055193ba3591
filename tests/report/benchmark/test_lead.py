from collections.abc import Callable

import pandas as pd

from wdrop.report.benchmark.lead import benchmark_lead

Make = Callable[..., pd.DataFrame]

SETS = ["yacht", "boston", "energy", "concrete", "power"]


def lead(records: pd.DataFrame) -> list[str]:
    return benchmark_lead(records, [], []).split("\n")


def made_up(make_records: Make) -> pd.DataFrame:
    """MC is better on four sets of five, W-dropout by far on the fifth, for whatever measure."""
    records = make_records(SETS, ["mc_dropout", "w_dropout"], noise=0)
    ours = records["method"] == "w_dropout"
    for measure in ("rmse", "nll", "ece_rounded", "ws", "crps"):
        records[measure] = 1.0 + 0.1 * ours
        records.loc[(records["dataset"] == "yacht") & ~ours, measure] = 50.0
    return records


def test_a_first_place_by_mean_stands_beside_the_place_by_rank(make_records: Make) -> None:
    in_short, by_rank, by_mean, _ = lead(made_up(make_records))
    assert in_short == (
        "W-dropout among 2 methods, in NLL, ECE and WS. Random folds: second by mean rank, first by mean."
    )
    assert "mean rank over 5 data sets of 2 methods: W-dropout is second by NLL (1.80; best MC 1.20)" in by_rank
    assert by_rank.endswith("These ranks tell it apart from none of those named (Nemenyi, 5 %).")
    assert "W-dropout is first by NLL (1.100; next MC 10.800)" in by_mean
    assert "second by CRPS" in by_rank
    assert "first by CRPS" in by_mean


def test_a_mean_that_one_data_set_rules_is_told_with_its_median(make_records: Make) -> None:
    records = made_up(make_records)
    records.loc[records["dataset"] == "boston", "ece_rounded"] *= 1.1
    _, _, by_mean, _ = lead(records)
    assert "A few wild data sets rule such means: the ECE of MC has mean" in by_mean
    assert "and median 1.000" in by_mean


def test_a_measure_that_was_not_recorded_has_no_place(make_records: Make) -> None:
    told = lead(made_up(make_records).drop(columns="crps"))
    assert not any("CRPS" in line for line in told)
