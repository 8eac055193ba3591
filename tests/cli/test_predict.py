import gzip
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command import wdrop
from price_tables import fitted_file, table_text

from wdrop import Regressor
from wdrop.files.fit_file import fit_file


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted_file(tmp_path_factory.mktemp("model"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    path.write_text(table_text(seed=1))
    return path


def test_rows_stay_as_they_are_and_gain_four_columns(
    model: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = data.with_name("out.csv")
    shown = wdrop("predict", model, data, "-o", out, capsys=capsys)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("200 rows with mean, std, lower, upper in ")
    before, after = data.read_text().splitlines(), out.read_text().splitlines()
    assert all(new.startswith(old.replace('"Ulm"', "Ulm")) for old, new in zip(before, after, strict=True))
    told, regressor = pd.read_csv(out), Regressor.load(model)
    frame = pd.read_csv(data)[["size", "rooms", "city"]]
    mean, std = regressor.predict(frame, return_std=True)
    np.testing.assert_allclose(told["mean"], mean, rtol=1e-5)
    np.testing.assert_allclose(told["std"], std, rtol=1e-4)
    lower, upper = regressor.predict_interval(frame, 0.9)
    np.testing.assert_allclose(told[["lower", "upper"]], np.column_stack([lower, upper]), rtol=1e-4)
    assert np.mean((told["price"] > told["lower"]) & (told["price"] < told["upper"])) > 0.75


def test_columns_are_matched_by_name_in_files_of_every_kind(
    model: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.read_csv(data)
    shuffled = frame[["city", "price", "rooms", "size"]]
    shuffled.to_parquet(data.with_name("new.parquet"))
    gz = data.with_name("new.csv.gz")
    gz.write_bytes(gzip.compress(shuffled.to_csv(index=False).encode()))
    means = []
    for given, out in ((data, "a.csv"), ("new.parquet", "b.parquet"), ("new.csv.gz", "c.csv.gz"), (data, "d.parquet")):
        path = data.with_name(out)
        assert wdrop("predict", model, data.parent / given, "-o", path, capsys=capsys).code == 0
        means.append((pd.read_parquet if out.endswith("parquet") else pd.read_csv)(path)["mean"])
    for other in means[1:]:
        np.testing.assert_allclose(other, means[0], rtol=1e-6)


def test_from_stdin_to_stdout(model: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = wdrop("predict", model, "-", "--level", "0.5", capsys=capsys, stdin=data.read_bytes())
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0] == "id,size,rooms,city,price,mean,std,lower,upper"
    assert len(lines) == 201
    mean, std, lower, _ = map(float, lines[1].split(",")[-4:])
    assert (mean - lower) / std == pytest.approx(0.6745, rel=1e-3)


def test_a_table_in_many_pieces_is_the_same_table(
    model: Path, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = wdrop("predict", model, data, capsys=capsys).out
    monkeypatch.setattr("wdrop.files.table_file._BLOCK", 1000)
    pieces = wdrop("predict", model, data, capsys=capsys).out
    for one, other in zip(whole.splitlines()[1:], pieces.splitlines()[1:], strict=True):
        assert one.split(",")[0] == other.split(",")[0]
        assert float(one.split(",")[-4]) == pytest.approx(float(other.split(",")[-4]), rel=1e-5)
    bad = data.read_text().splitlines()
    bad[151] = bad[151].replace(bad[151].split(",")[1], "wide")
    data.write_text("\n".join(bad))
    shown = wdrop("predict", model, data, "-o", data.with_name("out.csv"), capsys=capsys)
    assert shown.code == 2
    assert shown.err == f"wdrop: {data}: expected numbers in column 'size', got 'wide' in row 151\n"
    assert [path.name for path in data.parent.iterdir()] == ["new.csv"]  # no part of it is left


def test_networks_that_draw_can_be_asked_in_closed_form(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = fitted_file(tmp_path, method="w_dropout")
    out = tmp_path / "out.csv"
    tables = []
    for options in ([], ["--closed-form"]):
        shown = wdrop("predict", model, data, "-o", out, "--force", *options, capsys=capsys)
        assert shown.code == 0, shown.err
        tables.append(pd.read_csv(out))
    drawn, closed = tables
    mean, std = Regressor.load(model).predict(pd.read_csv(data)[["size", "rooms", "city"]], return_std=True)
    np.testing.assert_allclose(drawn["std"], std, rtol=1e-4)
    assert not np.allclose(closed["std"], std, rtol=1e-4)
    assert np.abs(closed["mean"] - mean).mean() < 0.2 * std.mean()
    assert np.median(closed["std"] / std) == pytest.approx(1, abs=0.1)


def test_predicting_in_closed_form_loads_neither_torch_nor_pandas(model: Path, data: Path) -> None:
    """Loading them would take longer than the whole of it."""
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules)); from wdrop.cli import main; main()"
    command = [sys.executable, "-c", code, "predict", str(model), str(data), "-o", str(data.with_name("out.csv"))]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "wdrop.files.light_network" in shown.split()
    assert not set(shown.split()) & {"torch", "pandas", "sklearn", "scipy", "matplotlib"}


@pytest.mark.slow
def test_a_hundred_thousand_rows_take_three_times_what_arrow_needs(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    values = np.random.default_rng(0).normal(size=(100_000, 21))
    names = [f"x{j}" for j in range(20)]
    frame = pd.DataFrame(values, columns=[*names, "price"])
    train, data, out = (str(tmp_path / name) for name in ("train.csv", "new.csv", "out.csv"))
    frame[:1000].to_csv(train, index=False)
    frame[names].to_csv(data, index=False)
    model = str(tmp_path / "model")
    fit_file(train, "price", model, method="w_dropout_closed", n_steps=50, device="cpu", calibrate="cross")
    arguments = ["wdrop", "predict", model, data, "-o", out, "--force"]
    ours = f"import sys; sys.argv = {arguments}; from wdrop.cli import main; main()"
    theirs = f"import pyarrow.csv as c; c.write_csv(c.read_csv({data!r}), {str(tmp_path / 'copy.csv')!r})"
    seconds: dict[str, list[float]] = {ours: [], theirs: []}
    for _ in range(3):
        for code, times in seconds.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
            times.append(time.perf_counter() - start)
    ratio = min(seconds[ours]) / min(seconds[theirs])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{min(seconds[ours]):.2f} s, {ratio:.2f} times pyarrow's, at most {peak:.0f} MiB")
    assert ratio < 3
    assert peak < 1536
