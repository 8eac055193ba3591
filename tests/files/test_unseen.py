from pathlib import Path

import numpy as np
import pytest
import torch

from wdrop import Regressor
from wdrop.calibration import CALIBRATIONS
from wdrop.files.unseen import Unseen, unseen_by
from wdrop.methods.calibrated import CalibratedPredictor, CVPlusPredictor
from wdrop.prediction import Prediction

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 2))
Y = X[:, 0] + RANDOM.normal(size=90)


@pytest.mark.parametrize(
    ("calibrate", "n_rows"), [("cross", 90), ("scale", 90), ("split", 18), ("isotonic", 90), (None, 0)]
)
def test_a_fit_remembers_what_was_said_of_unseen_rows(calibrate: str | None, n_rows: int) -> None:
    regressor = Regressor("pu", calibrate=calibrate, n_steps=200, width=16, device="cpu", random_state=0).fit(X, Y)
    told = unseen_by(regressor.model_.predictor)
    assert (0 if told is None else len(told.y)) == n_rows
    if calibrate == "scale":
        assert told is not None
        z = (told.y - told.mean) / told.std
        assert np.mean(z**2) == pytest.approx(1)  # calibrated
        assert told.scores(["y"])["y"]["rmse"] > np.sqrt(
            np.mean((regressor.predict(X) - Y) ** 2)
        )  # it knows those by heart


def test_a_file_does_not_keep_them(tmp_path: Path) -> None:
    regressor = Regressor("pu", calibrate="cross", n_steps=20, width=4, device="cpu", random_state=0).fit(X, Y)
    regressor.save(tmp_path / "model")
    assert unseen_by(Regressor.load(tmp_path / "model").model_.predictor) is None


def test_targets_with_gaps_are_scored_each_by_its_own() -> None:
    y = np.column_stack([np.zeros(4), [1, np.nan, np.nan, 1]])
    reach = np.array([[-0.5, -2], [0.5, 2]])
    told = Unseen(np.zeros((4, 2)), np.ones((4, 2)), y, reach).scores(["a", "b"])
    assert {name: scores["rmse"] for name, scores in told.items()} == {"a": 0, "b": pytest.approx(1)}
    assert {name: scores["width"] for name, scores in told.items()} == {"a": 1, "b": 4}
    assert told["b"]["coverage"] == 1
    assert Unseen(np.zeros((4, 2)), np.zeros((4, 2)), y, reach).scores(["a", "b"]) == {}


@pytest.mark.parametrize("calibration", CALIBRATIONS)
def test_coverage_and_width_are_those_of_the_models_own_interval(calibration: str) -> None:
    """A Gaussian one would hold another share of residuals as skewed as these, and be another width."""
    stream = torch.Generator().manual_seed(0)
    raw = Prediction(torch.randn(400, 1, generator=stream), 0.5 + torch.rand(400, 1, generator=stream))
    y = raw.mean + raw.std * (torch.randn(400, 1, generator=stream).exp() - 1)
    predictor = CalibratedPredictor.of(CVPlusPredictor((), None), CALIBRATIONS[calibration], raw, y, None)  # type: ignore[arg-type]
    told = unseen_by(predictor)
    assert told is not None
    interval = predictor.calibration.interval(raw, 0.9)
    inside = (y >= interval.lower) & (y <= interval.upper)
    scores = told.scores(["y"])["y"]
    assert scores["coverage"] == pytest.approx(float(inside.double().mean()), abs=0.003)
    assert scores["width"] == pytest.approx(float((interval.upper - interval.lower).mean()), rel=1e-5)
