import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from wdrop.estimators.columns import Columns


def test_a_gap_becomes_the_mean_and_is_told_if_not_rare() -> None:
    columns = Columns.of({"a": [1.0, np.nan, 3.0], "b": [1, 2, 3]})
    assert columns.titles == ["a", "a missing", "b"]
    assert columns.encode({"a": [np.nan, 7.0], "b": [5.0, np.nan]}).tolist() == [[2.0, 1.0, 5.0], [7.0, 0.0, 2.0]]
    rare = np.r_[np.nan, np.arange(1000.0)]
    assert Columns.of({"a": rare}).titles == ["a"]


def test_weights_count() -> None:
    weight = np.array([3.0, 1.0, 0.0])
    columns = Columns.of({"a": [0.0, 4.0, np.nan], "w": ["x", "y", "z"]}, weight)
    assert columns.titles == ["a", "w = x", "w = y"]
    assert columns.encode({"a": [np.nan], "w": ["z"]}).tolist() == [[1.0, 0.0, 0.0]]


def test_frequent_words_are_features_and_others_are_zero_in_all() -> None:
    words = ["a"] * 300 + ["b"] * 100 + [None] * 100 + ["rare"]
    columns = Columns.of(pd.DataFrame({"w": words}))
    assert columns.titles == ["w = a", "w = b", "w = missing"]
    found = columns.encode({"w": np.array(["b", "rare", "never seen", None], dtype=object)})
    assert found.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1]]
    many = Columns.of({"w": np.array([f"{i % 120:03}" for i in range(1200)])})
    assert len(many.titles) == 50


def test_a_constant_column_cannot_surprise_later() -> None:
    columns = Columns.of({"year": [2019, 2019], "a": [1, 2]})
    assert columns.encode({"year": [2024], "a": [1]}).tolist() == [[2019.0, 1.0]]


def test_columns_are_found_by_name() -> None:
    columns = Columns.of({"a": [1, 2], "b": [3, 4]})
    assert columns.encode(pl.DataFrame({"b": [9], "more": ["?"], "a": [8]})[["b", "a"]]).tolist() == [[8.0, 9.0]]
    assert columns.encode(np.array([[8, 9]])).tolist() == [[8.0, 9.0]]
    with pytest.raises(ValueError, match="columns of training, got none named 'b'"):
        columns.encode({"a": [1]})
    with pytest.raises(ValueError, match="expected 2 columns, got 3"):
        columns.encode(np.ones((1, 3)))
    with pytest.raises(ValueError, match="expected each name once, got several columns 'a'"):
        columns.encode(pd.DataFrame([[1, 2, 3]], columns=["a", "a", "b"]))


def test_every_library_says_the_same() -> None:
    pandas = pd.DataFrame(
        {
            "int": pd.array([1, None, 3], dtype="Int64"), "bool": [True, False, True],
            "word": pd.array(["x", None, "y"], dtype="string"), "object": [1, 2.5, None],
        }
    )  # fmt: skip
    polars = pl.DataFrame(
        {"int": [1, None, 3], "bool": [True, False, True], "word": ["x", None, "y"], "object": [1.0, 2.5, None]}
    )
    arrow = polars.to_arrow()
    expected = Columns.of(pandas).encode(pandas)
    for table in (polars, arrow, arrow.combine_chunks().to_batches()[0]):
        assert Columns.of(table) == Columns.of(pandas)
        assert np.array_equal(Columns.of(table).encode(table), expected)


def test_what_cannot_be_a_feature_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="column 'when' holds datetime64"):
        Columns.of({"when": np.array(["2024-01-01"], dtype="datetime64[D]")})
    with pytest.raises(TypeError, match="column 'when': argument must be a string or a number, got date"):
        Columns.of({"when": np.array([datetime.date(2024, 1, 1)], dtype=object)})
    with pytest.raises(ValueError, match="column 'a' has no values; leave it out"):
        Columns.of({"a": [np.nan, np.nan]})
    with pytest.raises(ValueError, match="column 'a': Input X contains infinity"):
        Columns.of({"a": [1.0, 2.0]}).encode({"a": [np.inf]})
    with pytest.raises(ValueError, match="column 'a' held numbers in training, got words"):
        Columns.of({"a": [1.0, 2.0]}).encode({"a": ["one"]})


def test_they_come_back_from_json() -> None:
    columns = Columns.of(pd.DataFrame({"a": [0.1, np.nan], "w": ["x", None]}))
    assert Columns.from_json(json.loads(json.dumps(columns.to_json()))) == columns
