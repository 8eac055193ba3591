import numpy as np

from wdrop.methods import MCDropout, WDropout
from wdrop.report.tables import Cell
from wdrop.report.toy import ToyCurves
from wdrop.study.demo import EPOCHS, DemoResult, demo_runs, verdict
from wdrop.study.run import Outcome

SCORES = {"part": "test", "rmse": 1.0, "nll": -0.3, "ece": 0.1, "ws": 0.05, "etl": 2.9}


def result(epochs: dict[str, int]) -> DemoResult:
    return DemoResult(demo_runs(epochs)[:1], [Outcome([SCORES], {})], epochs)


def test_the_papers_numbers_stand_beside_ours_after_the_published_epochs_only() -> None:
    full, short = result(dict(EPOCHS)).table(), result({"toy-noise": 3, "toy-hf": 3}).table()
    assert full.rows[0][3] == Cell(-0.3, -0.33)
    assert full.rows[0][6] == Cell(2.9, None)
    assert short.title == "Short run"
    assert short.rows[0][3] == Cell(-0.3, None)


def test_settings_are_the_papers() -> None:
    assert dict(EPOCHS) == {"toy-noise": 150, "toy-hf": 1000}
    runs = demo_runs()
    assert [(run.dataset, run.method_name) for run in runs] == [
        (dataset, method) for dataset in ("toy-noise", "toy-hf") for method in ("w_dropout", "mc_dropout")
    ]
    for run in runs:
        assert isinstance(run.method, WDropout | MCDropout)
        assert run.method.training.epochs == EPOCHS[run.dataset]
        assert (run.method.net.width, run.method.net.dropout) == (50, 0.1)
        if isinstance(run.method, WDropout):
            assert run.method.n_draws == 10
        else:
            assert (run.method.as_published, run.method.training.weight_decay) == (True, 1e-6)


def test_the_verdict_reads_the_curves() -> None:
    x = np.linspace(-15, 15, 50)
    said = verdict({("toy-noise", "w_dropout"): ToyCurves(x, 0 * x, 0 * x + 0.5, x[None])})
    assert said.startswith("In the middle of toy-noise the noise has a std of 1.00: Wasserstein dropout says 0.50.")
