import numpy as np
import pytest

from wdrop.demo import EPOCHS, DemoResult, _method, verdict
from wdrop.methods import MCDropout, WDropout
from wdrop.report.tables import Cell
from wdrop.report.toy import ToyCurves

X = np.linspace(-15, 15, 50)
CURVES = {("toy-noise", "w_dropout"): ToyCurves(X, 0 * X, 0 * X + 0.5, X[None])}


def result(epochs: dict[str, int]) -> DemoResult:
    scores = {("toy-noise", "w_dropout"): {"rmse": 1.0, "nll": -0.3, "ece": 0.1, "ws": 0.05, "etl": 2.9}}
    return DemoResult(scores, CURVES, epochs, seed=0)


def test_the_papers_numbers_stand_beside_ours_after_the_published_epochs_only() -> None:
    full, short = result(dict(EPOCHS)).table(), result({"toy-noise": 3, "toy-hf": 3}).table()
    assert full.rows[0][3] == Cell(-0.3, -0.33)
    assert full.rows[0][6] == Cell(2.9, None)
    assert short.title == "Short run"
    assert short.rows[0][3] == Cell(-0.3, None)


def test_settings_are_the_papers() -> None:
    wasserstein, mc = (_method(name, 150) for name in ("w_dropout", "mc_dropout"))
    assert isinstance(wasserstein, WDropout)
    assert (wasserstein.n_draws, wasserstein.net.width, wasserstein.net.dropout) == (10, 50, 0.1)
    assert isinstance(mc, MCDropout)
    assert (mc.as_published, mc.training.weight_decay) == (True, 1e-6)


def test_the_verdict_reads_the_curves() -> None:
    assert verdict(result(dict(EPOCHS))).startswith(
        "In the middle of toy-noise the noise has a std of 1.00: Wasserstein dropout says 0.50."
    )


def test_epochs_are_published() -> None:
    assert dict(EPOCHS) == pytest.approx({"toy-noise": 150, "toy-hf": 1000})
