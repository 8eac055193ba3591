from collections.abc import Callable

import pandas as pd
import pytest

from wdrop.report.benchmark.ranks import Ranks, benchmark_ranks, nemenyi, ranks, ranks_table

Make = Callable[..., pd.DataFrame]


def test_the_critical_difference_is_that_of_demsars_table() -> None:
    assert nemenyi(5, 30) == pytest.approx(2.728 * (5 * 6 / (6 * 30)) ** 0.5, abs=1e-3)
    assert nemenyi(9, 13) == pytest.approx(3.102 * (9 * 10 / (6 * 13)) ** 0.5, abs=1e-3)


def test_ranks_are_means_over_data_sets_and_ties_share() -> None:
    table = pd.DataFrame({"a": [1.0, 1, 3, 1], "b": [2.0, 1, 2, 2], "c": [3.0, 3, 1, 3]})
    found = ranks(table, "ece")
    assert found is not None
    assert found.mean_ranks == pytest.approx({"a": 1.625, "b": 1.875, "c": 2.5})
    assert found.n_datasets == 4
    assert 0 < found.p_value < 1
    assert ranks(table.head(1), "ece") is None


def test_methods_closer_than_the_critical_difference_form_the_longest_runs() -> None:
    found = Ranks("ece", {"c": 3.0, "a": 1.0, "b": 2.0, "d": 5.0}, 1.5, 10, 1.0, 0.01)
    assert found.alike() == [("a", "b"), ("b", "c")]
    assert Ranks("ece", {"a": 1.0, "b": 9.0}, 1.5, 10, 1.0, 0.01).alike() == []


def test_every_measure_is_ranked_in_data_and_under_shift(make_records: Make) -> None:
    records = make_records(["yacht", "boston", "power"], splits=["iid", "label", "pca"])
    assert [one.measure for one in benchmark_ranks(records)] == ["rmse", "nll", "ece", "ws", "crps"]
    assert len(benchmark_ranks(records, shifted=True)) == 5
    table = ranks_table(records)
    assert table is not None
    assert len(table.rows) == 9
    assert [row[0] for row in table.footer] == ["critical difference"]
    assert benchmark_ranks(make_records(["yacht"])) == []
