import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import load, save, save_file

from wdrop import Regressor, load_model
from wdrop.estimators import ModelFileError
from wdrop.methods import WDropout
from wdrop.methods.cross_fitted import CrossFitted
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training

RANDOM = np.random.default_rng(0)
X = pd.DataFrame({"a": RANDOM.normal(size=50), "city": ["Ulm", "Bonn"] * 25})
Y = pd.Series(X["a"] + RANDOM.normal(size=50), name="price")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model.wdrop"
    regressor = Regressor("w_dropout", n_steps=5, width=8, calibrate="cross", random_state=3, device="cpu")
    regressor.fit(X, Y).save(path)
    return path


def metadata(raw: bytes) -> dict[str, str]:
    length = int.from_bytes(raw[:8], "little")
    found: dict[str, str] = json.loads(raw[8 : 8 + length])["__metadata__"]
    return found


def of_version(raw: bytes, version: int) -> bytes:
    header = json.loads(metadata(raw)["wdrop"])
    return save(load(raw), {"wdrop": json.dumps({**header, "version": version})})


def test_all_that_matters_is_in_the_file(saved: Path) -> None:
    model = load_model(saved)
    assert model.targets == ("price",)
    assert model.columns.names == ["a", "city"]
    assert model.summary["rows"] == 50
    assert model.summary["facts"]["calibration_scale"] > 0
    again = Regressor.load(saved)
    assert again.get_params()["calibrate"] == "cross"
    assert list(again.feature_names_in_) == ["a", "city"]
    prediction = model.predict(X[["city", "a"]])  # by name
    assert np.array_equal(prediction.mean[:, 0].numpy(), again.predict(X))


def test_saving_again_gives_the_same_file(saved: Path, tmp_path: Path) -> None:
    Regressor.load(saved).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


def test_a_method_with_settings_comes_back_and_can_be_fitted(tmp_path: Path) -> None:
    method = WDropout(net=MLP(width=8, depth=1), training=Training(epochs=1, device="cpu"), n_draws=3)
    Regressor(method).fit(X, Y).save(tmp_path / "model")
    again = Regressor.load(tmp_path / "model")
    assert again.method == method
    again.fit(X, Y)
    Regressor(CrossFitted(method=method)).fit(X, Y).save(tmp_path / "other")
    other = Regressor.load(tmp_path / "other")
    other.predict(X)
    with pytest.raises(ValueError, match=r"unknown method .CrossFitted\("):
        other.fit(X, Y)


@pytest.mark.parametrize("end", [0, 5, 8, 9, 100, -1])
def test_a_file_that_was_cut_off_is_refused(saved: Path, tmp_path: Path, end: int) -> None:
    (tmp_path / "cut").write_bytes(saved.read_bytes()[:end])
    with pytest.raises(ModelFileError, match="cut off"):
        load_model(tmp_path / "cut")


def test_any_change_is_noticed(saved: Path, tmp_path: Path) -> None:
    raw = saved.read_bytes()
    weights = bytearray(raw)
    weights[-3] ^= 1
    text = raw.replace(b"Ulm", b"Rom")
    assert text != raw
    tensors, header = load(raw), metadata(raw)
    name = min(tensors)
    others = save({**tensors, name: tensors[name] + 1}, header)
    for changed in (bytes(weights), text, others):
        (tmp_path / "changed").write_bytes(changed)
        with pytest.raises(ModelFileError, match="was changed after it was written"):
            load_model(tmp_path / "changed")


def test_a_newer_format_is_named(saved: Path, tmp_path: Path) -> None:
    raw = saved.read_bytes()
    (tmp_path / "newer").write_bytes(of_version(raw, 2))
    with pytest.raises(ModelFileError, match=r"format version 2, this wdrop .* reads up to 1; upgrade wdrop"):
        load_model(tmp_path / "newer")


def test_pickles_and_strangers_are_refused(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "pickle").write_bytes(pickle.dumps(Regressor.load(saved)))
    torch.save({"a": torch.zeros(1)}, tmp_path / "torch")
    for name in ("pickle", "torch"):
        with pytest.raises(ModelFileError, match="is a pickle"):
            load_model(tmp_path / name)
    (tmp_path / "text").write_text("a,b,c\n1,2,3\n")
    save_file({"a": torch.zeros(1)}, tmp_path / "tensors")
    save_file({"a": torch.zeros(1)}, tmp_path / "theirs", {"format": "pt", "version": "1"})
    for name in ("text", "tensors", "theirs"):
        with pytest.raises(ModelFileError, match="no model"):
            load_model(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "nowhere")


def test_a_folder_is_refused_and_nothing_is_left_behind(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="is a folder"):
        Regressor.load(saved).save(tmp_path)
    with pytest.raises(FileNotFoundError):
        Regressor.load(saved).save(tmp_path / "no" / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_length_that_begins_like_a_pickle_is_none(saved: Path, tmp_path: Path) -> None:
    """The first byte of the file is that of the header's length: 0x80 for every 32nd model."""
    raw = saved.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    padded = length + (0x80 - length) % 256
    header = raw[8 : 8 + length] + b" " * (padded - length)
    (tmp_path / "model").write_bytes(padded.to_bytes(8, "little") + header + raw[8 + length :])
    assert load_model(tmp_path / "model").targets == ("price",)


def test_predicting_from_a_file_loads_neither_scikit_learn_nor_pandas(saved: Path) -> None:
    code = (
        "import sys, wdrop\n"
        f"prediction = wdrop.load_model({str(saved)!r}).predict({{'a': [1.0], 'city': ['Ulm']}})\n"
        "print(prediction.mean.shape, *sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith("torch.Size([1, 1])")
    assert not set(out.split()) & {"sklearn", "pandas", "polars", "pyarrow", "matplotlib"}
