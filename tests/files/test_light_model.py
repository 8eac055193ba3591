"""The same numbers from numpy as from torch, or none at all."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from price_tables import fitted_file, table_text
from scipy.special import ndtr

from wdrop import METHODS, load_model
from wdrop.files.forecaster import open_forecaster
from wdrop.files.light_model import light_model
from wdrop.files.light_network import _normal

LIGHT = {"w_dropout_closed", "w_dropout_last_layer"}


@pytest.fixture
def table(tmp_path: Path) -> dict[str, NDArray[Any]]:
    path = tmp_path / "new.csv"
    path.write_text(table_text(seed=2))
    frame = pd.read_csv(path)[["size", "rooms", "city"]]
    return {str(name): frame[name].to_numpy() for name in frame}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_predicts_from_its_file(method: str, tmp_path: Path, table: dict[str, NDArray[Any]]) -> None:
    path = fitted_file(tmp_path, method=method, n_steps=20, calibrate="none")
    assert (light_model(str(path)) is not None) == (method in LIGHT)
    told = open_forecaster(str(path)).forecast(table, [0.1, 0.9])
    expected = load_model(path).forecast(table, [0.1, 0.9])
    np.testing.assert_allclose(told.mean, expected.prediction.mean, rtol=1e-4)
    np.testing.assert_allclose(told.std, expected.prediction.std, rtol=1e-3)
    np.testing.assert_allclose(told.quantiles, expected.quantiles, rtol=1e-3)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("calibrate", ["cross", "robust_scale", "added_noise"])
def test_networks_of_every_depth(depth: int, calibrate: str, tmp_path: Path, table: dict[str, NDArray[Any]]) -> None:
    path = fitted_file(tmp_path, depth=depth, calibrate=calibrate, n_steps=100)
    light = light_model(str(path))
    assert light is not None
    told, expected = light.forecast(table, [0.05]), load_model(path).forecast(table, [0.05])
    np.testing.assert_allclose(told.mean, expected.prediction.mean, rtol=1e-5)
    np.testing.assert_allclose(told.std, expected.prediction.std, rtol=1e-4)
    np.testing.assert_allclose(told.quantiles, expected.quantiles, rtol=1e-4)


def test_what_numpy_has_no_formula_for_is_left_to_torch(tmp_path: Path, table: dict[str, NDArray[Any]]) -> None:
    path = fitted_file(tmp_path, calibrate="isotonic", n_steps=20)
    assert light_model(str(path)) is None
    told = open_forecaster(str(path)).forecast(table, [0.05])
    np.testing.assert_allclose(told.quantiles, load_model(path).forecast(table, [0.05]).quantiles, rtol=1e-3)


def test_the_normal_law_to_single_precision() -> None:
    t = np.linspace(-8, 8, 4001, dtype=np.float32)
    gate, density = _normal(t)
    assert gate.dtype == np.float32
    np.testing.assert_allclose(gate, ndtr(t.astype(np.float64)), atol=2e-7)
    np.testing.assert_allclose(density, np.exp(-0.5 * t.astype(np.float64) ** 2) / np.sqrt(2 * np.pi), atol=1e-7)
