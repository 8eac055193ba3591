from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from price_tables import fitted_file, table_text

from wdrop.files.csv_types import csv_types, typed
from wdrop.files.predict_file import predict_file


@pytest.mark.parametrize("block", [1 << 20, 64])
def test_a_type_is_one_that_all_cells_have(tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wdrop.files.table_file._BLOCK", block)
    rows = ["n,x,flag,zip,long,word,gap,late"]
    rows += [f"{i},{i}.5, true,0{i},{10**17 + i},w,,{i}" for i in range(20)]
    rows += ["NA,3,false,1,2,w,,true"]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(rows))
    assert csv_types(str(path)) == {"n": pa.int64(), "x": pa.float64(), "flag": pa.bool_(), "long": pa.int64()}
    assert csv_types("-") == {}


def test_a_number_too_long_to_keep_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,x\n" + "12345678901234567890,1\n" * 3)
    assert csv_types(str(path)) == {"x": pa.int64()}


def test_cells_become_values() -> None:
    assert typed(pa.array([" 1", "NA"]), pa.int64()).to_pylist() == [1, None]
    assert typed(pa.array([" 1", "NA"]), None).to_pylist() == [" 1", "NA"]


def test_predicting_from_csv_to_parquet_keeps_numbers(tmp_path: Path) -> None:
    model = fitted_file(tmp_path, n_steps=5, calibrate="none")
    data, out = tmp_path / "new.csv", tmp_path / "out.parquet"
    data.write_text(table_text(seed=1))
    predict_file(str(model), str(data), str(out))
    told, read = pd.read_parquet(out), pd.read_csv(data)
    for name in ("size", "rooms", "price"):
        pd.testing.assert_series_equal(told[name], read[name], check_dtype=False)
    assert list(told["city"]) == list(read["city"])
