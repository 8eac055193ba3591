import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from command import wdrop
from price_tables import fitted_file, table_text

from wdrop import Regressor


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted_file(tmp_path_factory.mktemp("model"))


def test_rows_like_those_of_training(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "new.csv"
    data.write_text(table_text(seed=2))
    shown = wdrop("evaluate", model, data, capsys=capsys)
    assert (shown.code, shown.err) == (0, "")
    assert "calibration holds on this data" in shown.out
    assert "rows look like those of training" in shown.out
    assert "price, 200 of 200 rows:\n  RMSE" in shown.out
    told = json.loads(wdrop("evaluate", model, data, "--json", capsys=capsys).out)
    assert told["calibration"]["price"]["holds"] is True
    assert told["shift"]["is_shifted"] is False
    assert told["growth"]["price"] == pytest.approx(1, abs=0.1)


def test_noise_that_training_did_not_have(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "new.csv"
    data.write_text(table_text(seed=1, noise=3))
    shown = wdrop("evaluate", model, data, capsys=capsys)
    assert (
        "too small on this data, although it was calibrated at rows with such features: refit with these" in shown.out
    )
    assert "rows look like those of training" in shown.out


def test_a_shift_is_told_without_targets(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "new.csv"
    data.write_text(table_text(seed=1, far=4))
    frame = pd.read_csv(data).drop(columns="price")
    frame.to_csv(data, index=False)
    shown = wdrop("evaluate", model, data, capsys=capsys)
    assert "rows differ from those of training, most in 'size' (" in shown.out
    assert "RMSE" not in shown.out
    told = json.loads(wdrop("evaluate", model, data, "--json", capsys=capsys).out)
    assert told["scores"] == {}
    assert told["shift"]["far"] > 0.5
    differ = [feature["title"] for feature in told["shift"]["features"] if feature["is_shifted"]]
    assert differ == ["size"]


def test_a_target_that_is_not_to_be_believed_can_be_ignored(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "new.csv"
    frame = pd.read_csv(StringIO(table_text(seed=2)))
    frame.assign(price="not yet known").to_csv(data, index=False)
    shown = wdrop("evaluate", model, data, capsys=capsys)
    assert (shown.code, shown.err) == (
        2, f"wdrop: {data}: a target is a number: expected numbers in column 'price', got 'not yet known' in row 1\n"
    )  # fmt: skip
    shown = wdrop("evaluate", model, data, "--ignore", "price", "--ignore", "id", capsys=capsys)
    assert shown.code == 0
    assert shown.out.startswith("rows look like those of training")
    assert (
        "cannot be ignored, as the model needs it"
        in wdrop("evaluate", model, data, "--ignore", "size", capsys=capsys).err
    )
    assert "did you mean 'price'" in wdrop("evaluate", model, data, "--ignore", "prize", capsys=capsys).err


def test_evaluating_in_closed_form_loads_neither_torch_nor_figures(model: Path, tmp_path: Path) -> None:
    data = tmp_path / "new.csv"
    data.write_text(table_text(seed=2))
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules)); from wdrop.cli import main; main()"
    command = [sys.executable, "-c", code, "evaluate", str(model), str(data)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "calibration holds on this data" in shown
    assert not set(shown.split()) & {"torch", "pandas", "sklearn", "matplotlib"}


def test_a_model_without_a_memory_of_its_rows_is_judged_by_targets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "new.csv"
    data.write_text(table_text())
    frame = pd.read_csv(data)
    regressor = Regressor("pu", n_steps=20, width=8, device="cpu", random_state=0)
    regressor.fit(frame[["size", "rooms"]], frame["price"]).save(tmp_path / "model")
    shown = wdrop("evaluate", tmp_path / "model", data, capsys=capsys)
    assert "this model does not remember its training rows" in shown.out
    assert "price, 200 of 200 rows:" in shown.out
