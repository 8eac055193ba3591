import gzip
import json
from inspect import signature
from pathlib import Path

import pandas as pd
import pytest
from command import wdrop
from price_tables import table_text

from wdrop import Regressor, load_model
from wdrop.cli.fit import fit
from wdrop.files.fit_file import fit_file

QUICK = ("--method", "pu", "--steps", "30", "--ignore", "id", "--device", "cpu")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "homes.csv"
    path.write_text(table_text())
    return path


def test_it_writes_a_model_and_tells_scores_on_unseen_rows(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = data.with_name("model")
    shown = wdrop("fit", data, "--target", "price", "-o", model, *QUICK, "--steps", "300", capsys=capsys)
    assert (shown.code, shown.err) == (0, "")
    assert "pu for price: 200 rows, 5 features" in shown.out
    assert "on rows that the networks asked had not seen (cross):" in shown.out
    assert "90 % coverage" in shown.out
    assert f"the model: {model}" in shown.out
    assert load_model(model).columns.titles == [
        "size", "rooms", "rooms missing", "city = Bonn, the old one", "city = Ulm",
    ]  # fmt: skip
    assert Regressor.load(model).get_params()["calibrate"] == "cross"
    assert load_model(model).targets == ("price",)


@pytest.mark.parametrize("how", ["csv.gz", "parquet", "stdin", "semicolons", "latin-1", "spaces"])
def test_the_same_table_gives_the_same_model_however_it_is_written(
    data: Path, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, folder, stdin, options = table_text(), data.parent, b"", []
    given: Path | str = folder / "again.csv"
    if how == "csv.gz":
        given = folder / "again.csv.gz"
        given.write_bytes(gzip.compress(text.encode()))
    elif how == "parquet":
        given = folder / "again.parquet"
        pd.read_csv(data).to_parquet(given)
    elif how == "stdin":
        given, stdin = "-", text.encode()
    elif how == "semicolons":
        pd.read_csv(data).to_csv(given, sep=";", index=False)
        options = ["--sep", ";"]
    elif how == "latin-1":
        Path(given).write_text(text.replace("Ulm", "Köln").replace("Bonn", "Bönn"), encoding="latin-1")
        options = ["--encoding", "latin-1"]
    else:
        Path(given).write_text(text.replace(",price", ", price").replace('",', '", '))
    for file, out, more in ((data, "one", []), (given, "other", options)):
        shown = wdrop(
            "fit",
            file,
            "-t",
            "price",
            "-o",
            folder / out,
            *QUICK,
            *more,
            "--calibrate",
            "none",
            capsys=capsys,
            stdin=stdin,
        )
        assert shown.code == 0, shown.err
    assert "no row was held out, so there is no score" in shown.out
    one, other = load_model(folder / "one"), load_model(folder / "other")
    frame = pd.read_csv(data)
    assert other.columns.names == ["size", "rooms", "city"]
    if how == "latin-1":
        frame["city"] = frame["city"].str.replace("Ulm", "Köln").str.replace("Bonn", "Bönn")
        assert other.columns.titles[-1] == "city = Köln"
    else:
        assert (one.predict(frame).mean == other.predict(frame).mean).all()


def test_the_command_and_the_function_have_one_default() -> None:
    defaults = [signature(function).parameters["method"].default for function in (fit, fit_file)]
    assert defaults == ["w_dropout_closed"] * 2


def test_json_holds_the_scores_of_several_targets(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_csv(data).assign(rent=lambda table: table["size"].where(table.index % 3 > 0))
    frame.to_csv(data, index=False)
    shown = wdrop(
        "fit", data, "-t", "price", "-t", "rent", "-o", data.with_name("m"), *QUICK, "--json", "--calibrate", "split",
        capsys=capsys,
    )  # fmt: skip
    told = json.loads(shown.out)
    assert told["target"] == ["price", "rent"]
    assert list(told["scores"]) == ["price", "rent"]
    assert all(0 <= scores["coverage"] <= 1 for scores in told["scores"].values())
    assert set(told["facts"]) == {"calibration_scale_1", "calibration_scale_2"}


def test_a_stopped_fit_leaves_what_was_there(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    model = data.with_name("model")
    model.write_text("an older model")
    monkeypatch.setattr(Regressor, "fit", stopped)
    shown = wdrop("fit", data, "-t", "price", "-o", model, "--force", *QUICK, capsys=capsys)
    assert shown.code == 130
    assert shown.err.endswith("wdrop: stopped; no file was written or changed\n")
    assert model.read_text() == "an older model"
    assert sorted(path.name for path in data.parent.iterdir()) == ["homes.csv", "model"]
