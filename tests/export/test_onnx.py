"""Graphs say what PyTorch says, for every method, and in a process that has no torch."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch
from building import built
from methods.test_contract import small
from numpy.typing import NDArray
from torch import nn

import wdrop
from wdrop._random import generator_for
from wdrop.calibration import CALIBRATIONS
from wdrop.methods import METHODS, CrossFitted, Method, Scaled
from wdrop.prediction import Points, Predictor

DRAWING = {"w_dropout", "mc_dropout", "mc_dropout_last_layer", "concrete_dropout", "swag", "pu_mc"}
WITH_CLOSED_FORM = {"w_dropout", "mc_dropout", "mc_dropout_last_layer"}


@pytest.fixture
def points() -> Points:
    """Two features and two targets, in units far from standard."""
    stream = generator_for("export")
    x = torch.randn(60, 2, generator=stream) * torch.tensor([3.0, 0.01]) + torch.tensor([500.0, -1.0])
    y = torch.cat([x[:, :1] * 40, x[:, 1:]], 1)
    return Points(x, y + y.std(0) * 0.3 * torch.randn(60, 2, generator=stream))


def fitted(method: Method, points: Points) -> Predictor:
    return method.fit(points, generator=generator_for("fit"))


def run(path: Path, **inputs: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    mean, std = onnxruntime.InferenceSession(path).run(["mean", "std"], inputs)
    return mean, std


def agrees(path: Path, predictor: Predictor, points: Points) -> None:
    mean, std = run(path, x=points.x.numpy())
    told = predictor.predict(points.x, generator=generator_for("draws"))
    np.testing.assert_allclose(mean, told.mean, rtol=1e-4)
    np.testing.assert_allclose(std, told.std, rtol=1e-4)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_that_draws_nothing_is_exported_as_it_is(name: str, tmp_path: Path, points: Points) -> None:
    predictor = fitted(Scaled(method=small(name)), points)
    path = tmp_path / "model.onnx"
    if name in DRAWING:
        with pytest.raises(ValueError, match=r"a graph draws nothing; `draws=200`"):
            wdrop.export_onnx(predictor, path)
        assert not list(tmp_path.iterdir())
    else:
        card = wdrop.export_onnx(predictor, path)
        assert card["draws"] is None
        assert card["method"] == name
        agrees(path, predictor, points)
        with pytest.raises(ValueError, match=f"no draws for {name}"):
            wdrop.export_onnx(predictor, path, draws=5)


@pytest.mark.parametrize("name", sorted(DRAWING))
def test_unrolled_draws_are_those_of_the_stream(name: str, tmp_path: Path, points: Points) -> None:
    predictor = fitted(Scaled(method=small(name)), points)
    path = tmp_path / "model.onnx"
    n_samples = predictor.predictor.n_samples  # type: ignore[attr-defined]
    card = wdrop.export_onnx(predictor, path, draws=n_samples, generator=generator_for("draws"))
    assert card["draws"] == n_samples
    assert f"{n_samples} fixed" in card["outputs"][1]["meaning"]
    agrees(path, predictor, points)


@pytest.mark.parametrize("name", sorted(DRAWING))
def test_the_closed_form_is_exported_where_there_is_one(name: str, tmp_path: Path, points: Points) -> None:
    predictor = fitted(small(name), points)
    if name not in WITH_CLOSED_FORM:
        with pytest.raises(ValueError, match="has no closed form"):
            wdrop.export_onnx(predictor, tmp_path / "model.onnx", how="closed_form")
        return
    wdrop.export_onnx(predictor, tmp_path / "model.onnx", how="closed_form")
    _, std = run(tmp_path / "model.onnx", x=points.x.numpy())
    told = wdrop.predict(predictor.net, points.x, "closed_form")  # type: ignore[attr-defined]
    added = predictor.added_variance  # type: ignore[attr-defined]
    np.testing.assert_allclose(std, (told.std.square() + added).sqrt(), rtol=1e-4)


@pytest.mark.parametrize("calibration", CALIBRATIONS)
@pytest.mark.parametrize("mean", ["refit", "ensemble"])
def test_calibration_is_inside(calibration: str, mean: Any, tmp_path: Path, points: Points) -> None:
    method = CrossFitted(method=Scaled(method=small("pu")), calibration=calibration, mean=mean, n_folds=3)
    predictor = fitted(method, points)
    card = wdrop.export_onnx(predictor, tmp_path / "model.onnx")
    agrees(tmp_path / "model.onnx", predictor, points)
    assert "calibrated" in card["outputs"][1]["meaning"]


def test_cv_plus_is_refused(tmp_path: Path, points: Points) -> None:
    predictor = fitted(CrossFitted(method=small("pu"), calibration="cv_plus", n_folds=3), points)
    with pytest.raises(ValueError, match="asks all training points"):
        wdrop.export_onnx(predictor, tmp_path / "model.onnx")


@pytest.mark.parametrize("activation", [nn.ReLU(), nn.LeakyReLU(0.1), nn.GELU(), nn.SiLU(), nn.Tanh()])
@pytest.mark.parametrize("draws", [None, 20])
def test_a_chain_of_layers_with_any_known_activation(activation: nn.Module, draws: int | None, tmp_path: Path) -> None:
    def chain() -> nn.Sequential:
        norm = nn.BatchNorm1d(12)
        norm.running_mean, norm.running_var = torch.randn(12), torch.rand(12) + 0.5
        return nn.Sequential(
            nn.Linear(3, 12), activation, nn.Dropout(0.2), nn.Sequential(nn.Linear(12, 12), norm), activation,
            nn.Dropout(0.1), nn.Linear(12, 12, bias=False), activation, nn.Linear(12, 2),
        )  # fmt: skip

    net = built(chain)
    wdrop.export_onnx(net, tmp_path / "net.onnx", draws=draws, generator=generator_for("draws"))
    x = torch.randn(30, 3, generator=generator_for("x"))
    how = "closed_form" if draws is None else "samples"
    told = wdrop.predict(net, x, how, n_samples=draws or 2, generator=generator_for("draws"))
    mean, std = run(tmp_path / "net.onnx", x=x.numpy())
    np.testing.assert_allclose(mean, told.mean, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(std, told.std, rtol=1e-4)


def test_a_network_with_a_head_of_its_own(tmp_path: Path) -> None:
    net = built(lambda: nn.Sequential(nn.Linear(3, 8), nn.Tanh(), wdrop.WassersteinHead(8, 2, 0.2)))
    with pytest.raises(ValueError, match="leave them out"):
        wdrop.export_onnx(net, tmp_path / "net.onnx", draws=5)
    wdrop.export_onnx(net, tmp_path / "net.onnx")
    x = torch.randn(7, 3, generator=generator_for("x"))
    with torch.no_grad():
        expected = net(x)
    for found, part in zip(run(tmp_path / "net.onnx", x=x.numpy()), expected, strict=True):
        np.testing.assert_allclose(found, part, rtol=1e-4, atol=1e-6)


def test_what_cannot_be_exported_is_named(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    with pytest.raises(ValueError, match="has no dropout modules"):
        wdrop.export_onnx(nn.Sequential(nn.Identity()), path, example=torch.zeros(2, 1))
    odd = built(lambda: nn.Sequential(nn.Linear(2, 4), nn.Softsign(), nn.Dropout(0.1), nn.Linear(4, 1)))
    for draws in (None, 5):
        with pytest.raises(ValueError, match="Softsign '1'"):
            wdrop.export_onnx(odd, path, draws=draws)
    with pytest.raises(ValueError, match="give some rows as `example`"):
        wdrop.export_onnx(built(lambda: nn.Linear(2, 1)), path)
    with pytest.raises(TypeError, match="to return mean and std, got Tensor"):
        wdrop.export_onnx(built(lambda: nn.Linear(2, 1)), path, example=torch.zeros(2, 2))
    for draws in (None, 5):
        sick = built(lambda: nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.1), nn.Linear(4, 1)))
        next(sick.parameters()).data[0] = torch.nan
        with pytest.raises(ValueError, match="2 NaN or infinite of 8 in weight of Linear '0'"):
            wdrop.export_onnx(sick, path, draws=draws)
    with pytest.raises(TypeError, match="got Regressor; call fit first"):
        wdrop.export_onnx(wdrop.Regressor(), path)
    with pytest.raises(ValueError, match="did you mean 'closed_form'"):
        wdrop.export_onnx(odd, path, how="closedform")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="got both"):
        wdrop.export_onnx(odd, path, how="closed_form", draws=5)
    assert not list(tmp_path.iterdir())


def test_a_graph_that_differs_is_not_left_behind(
    tmp_path: Path, points: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.onnx"
    predictor = fitted(Scaled(method=small("w_dropout_last_layer")), points)
    wdrop.export_onnx(predictor, path)
    before = path.read_bytes()
    monkeypatch.setattr("wdrop.export.one_pass.TINY", 1e6)  # wrong only where variances meet an activation
    wdrop.export_onnx(predictor, path)
    closed = fitted(Scaled(method=small("w_dropout_closed")), points)
    with pytest.raises(ValueError, match=r"a relative deviation of .* so nothing was written"):
        wdrop.export_onnx(closed, path)
    assert path.read_bytes() == before


WITHOUT_TORCH = """
import json, sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "wdrop"):
            raise ImportError(f"{name} is not here")
sys.meta_path.insert(0, Blocked())
try:
    import torch
    sys.exit("torch is here")
except ImportError:
    pass
import numpy, onnxruntime
x = numpy.array(json.loads(sys.argv[2]), "float32")
mean, std = onnxruntime.InferenceSession(sys.argv[1]).run(["mean", "std"], {"x": x})
assert "torch" not in sys.modules
print(json.dumps([mean.tolist(), std.tolist()]))
"""


def test_a_saved_model_speaks_where_there_is_no_torch(tmp_path: Path, points: Points) -> None:
    x, y = points.x.numpy(), points.y.numpy()
    regressor = wdrop.Regressor("w_dropout_closed", n_steps=30, width=8, calibrate="cross", random_state=0).fit(x, y)
    regressor.save(tmp_path / "model.wdrop")
    wdrop.export_onnx(wdrop.load_model(tmp_path / "model.wdrop"), tmp_path / "model.onnx")
    command = [sys.executable, "-c", WITHOUT_TORCH, str(tmp_path / "model.onnx"), json.dumps(x.tolist())]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for told, expected in zip(found, regressor.predict(x, return_std=True), strict=True):
        np.testing.assert_allclose(told, expected, rtol=1e-4)
