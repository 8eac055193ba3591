"""Table models: words, gaps and constants are inside the graph; the card says what it takes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pandas as pd
import pytest

import wdrop
from wdrop.data.fingerprint import fingerprint


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    stream = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "colour": stream.choice(["red", "green", "blue"], 90),
            "area": stream.uniform(20, 200, 90),
            "built": stream.integers(1_500_000_000, 1_700_000_000, 90).astype(float),
            "always": np.full(90, 7.0),
            "kind": stream.choice(["a", "b"], 90),
        }
    )
    table.loc[:9, "built"] = np.nan
    table.loc[5:14, "colour"] = None
    return table


@pytest.fixture(scope="module")
def price(table: pd.DataFrame) -> pd.Series:
    noise = np.random.default_rng(1).standard_normal(len(table))
    return pd.Series(3000 * table["area"] * (1 + 0.2 * noise), name="price")


def inputs(table: pd.DataFrame, kind: str) -> dict[str, Any]:
    return {
        "x": table[["area", "built", "always"]].to_numpy(kind),
        "words": table[["colour", "kind"]].fillna("").to_numpy(dtype=object),
    }


@pytest.mark.parametrize(("method", "draws"), [("pu", None), ("w_dropout", 200)])
def test_the_graph_says_what_the_regressor_says(
    method: str, draws: int | None, table: pd.DataFrame, price: pd.Series, tmp_path: Path
) -> None:
    model = wdrop.Regressor(method, n_steps=40, width=8, calibrate="isotonic", random_state=0).fit(table, price)
    wdrop.export_onnx(model, tmp_path / "price.onnx", draws=draws, input_type="float64")
    new = table.copy()
    new.loc[0, "colour"], new.loc[1, "kind"], new.loc[2:30, "always"] = "violet", None, 99.0
    new.loc[20:25, "area"] = np.nan
    session = onnxruntime.InferenceSession(tmp_path / "price.onnx")
    found = session.run(["mean", "std"], inputs(new, "float64"))
    for told, expected in zip(found, model.predict(new, return_std=True), strict=True):
        assert told.dtype == np.float64
        np.testing.assert_allclose(told[:, 0], expected, rtol=1e-4)


def test_the_card_tells_columns_units_data_and_measures(table: pd.DataFrame, price: pd.Series, tmp_path: Path) -> None:
    model = wdrop.Regressor("pu", n_steps=40, width=8, random_state=0).fit(table[:60], price[:60])
    card = wdrop.export_onnx(
        model, tmp_path / "price.onnx", train=(table[:60], price[:60]), test=(table[60:], price[60:]),
        units={"area": "m²", "price": "EUR"},
    )  # fmt: skip
    assert card == json.loads((tmp_path / "price.card.json").read_text())
    numbers, words = card["inputs"]
    assert numbers["columns"][0] == {"name": "area", "unit": "m²"}
    assert [column["name"] for column in words["columns"]] == ["colour", "kind"]
    assert words["columns"][1]["levels"] == ["a", "b"]
    assert card["outputs"][0]["targets"] == [{"name": "price", "unit": "EUR"}]
    assert card["training"]["data_sha256"] == fingerprint(model.model_.columns.encode(table[:60]), price[:60])
    mean, std = model.predict(table[60:], return_std=True)
    assert card["measures"]["rows"] == 30
    assert card["measures"]["nll"] == pytest.approx(wdrop.evaluate(mean, std, price[60:])["nll"], rel=1e-4)
    assert card["check"]["largest_relative_deviation"] <= card["check"]["tolerance"] == 1e-4
    with pytest.raises(ValueError, match="did you mean 'area'"):
        wdrop.export_onnx(model, tmp_path / "price.onnx", units={"aera": "m²"})
    with pytest.raises(ValueError, match="expected 1 names, got 2"):
        wdrop.export_onnx(model, tmp_path / "price.onnx", targets=["price", "rent"])


def test_a_column_that_single_precision_cannot_tell_apart_is_refused(price: pd.Series, tmp_path: Path) -> None:
    seconds = pd.DataFrame({"time": 1.7e9 + np.arange(len(price), dtype=float)})
    model = wdrop.Regressor("pu", n_steps=5, width=8, random_state=0).fit(seconds, price)
    with pytest.raises(ValueError, match=r"float32 is too coarse for column 'time': .*float64"):
        wdrop.export_onnx(model, tmp_path / "price.onnx")
    wdrop.export_onnx(model, tmp_path / "price.onnx", input_type="float64")


def test_a_far_origin_costs_no_digit_but_those_of_the_input(price: pd.Series, tmp_path: Path) -> None:
    years = (1_000_000 + 400 * np.linspace(0, 1, len(price)) ** 2).astype("float32").reshape(-1, 1)
    model = wdrop.Regressor("pu", n_steps=200, width=16, random_state=0).fit(years.astype(float), price)
    wdrop.export_onnx(model, tmp_path / "price.onnx")
    _, std = onnxruntime.InferenceSession(tmp_path / "price.onnx").run(["mean", "std"], {"x": years})
    np.testing.assert_allclose(std[:, 0], model.predict(years.astype(float), return_std=True)[1], rtol=3e-6)


def test_empty_words_are_refused(table: pd.DataFrame, price: pd.Series, tmp_path: Path) -> None:
    table = table.assign(kind=np.where(table["kind"] == "a", "", "b"))
    model = wdrop.Regressor("pu", n_steps=5, width=8, random_state=0).fit(table, price)
    with pytest.raises(ValueError, match="column 'kind' holds empty words"):
        wdrop.export_onnx(model, tmp_path / "price.onnx")
