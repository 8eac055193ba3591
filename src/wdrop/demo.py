"""The first thing to run: Wasserstein dropout and MC dropout on the paper's two toy sets."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wdrop._processes import JobProgress, in_processes
from wdrop._random import generator_for
from wdrop.data.scaling import Scaler
from wdrop.data.toy import TOYS, toy_noise_std
from wdrop.measures import MEASURES, evaluate
from wdrop.methods import MCDropout, Method, WDropout
from wdrop.methods.sampled import SampledPredictor
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Progress, Training
from wdrop.prediction import Points
from wdrop.report.figures import METHOD_TITLES, png
from wdrop.report.page import Picture, Section, page, write_whole
from wdrop.report.published import published
from wdrop.report.tables import Cell, Table
from wdrop.report.toy import ToyCurves, ToyData, mean_and_std_figure, subnetworks_figure

EPOCHS: Mapping[str, int] = MappingProxyType({"toy-noise": 150, "toy-hf": 1000})
"""As published."""

N_LINES = 500
N_GRID = 600
_MEASURES = ("rmse", "nll", "ece", "ws", "etl")
# The longest first, so that two processes end at about the same time.
_JOBS = (("toy-noise", "w_dropout"), ("toy-noise", "mc_dropout"), ("toy-hf", "w_dropout"), ("toy-hf", "mc_dropout"))


@final
@dataclass(frozen=True, eq=False)
class DemoResult:
    """Scores and curves by (data set, method), what a page is made of."""

    scores: Mapping[tuple[str, str], Mapping[str, float]]
    curves: Mapping[tuple[str, str], ToyCurves]
    epochs: Mapping[str, int]
    seed: int

    @property
    def as_published(self) -> bool:
        return dict(self.epochs) == dict(EPOCHS)

    def table(self) -> Table:
        """Our scores, with the paper's beside them if as many epochs were run."""
        headings = ["data set", "method", *(MEASURES[name].heading for name in _MEASURES)]
        rows: list[Sequence[str | Cell]] = []
        for dataset, method in self.scores:
            cells = [
                Cell(
                    self.scores[dataset, method][name],
                    published("toy", "test", dataset, method, name) if self.as_published else None,
                )
                for name in _MEASURES
            ]
            rows.append([dataset, METHOD_TITLES[method], *cells])
        epochs = ", ".join(f"{dataset} {n}" for dataset, n in self.epochs.items())
        if self.as_published:
            title = "Ours, and the paper's numbers beside them"
            note = f"Epochs as published ({epochs})"
        else:
            title = "Short run"
            note = f"Fewer or more epochs than published ({epochs}): not to be compared with the paper's numbers"
        note += (
            f"; one network each, seed {self.seed}, judged on 20 % of the points, held out, in standardised units. "
            "ETL is 2.89 at best; of the others, less is better."
        )
        return Table(title, headings, rows, note)


def run_demo(
    *, epochs: Mapping[str, int] = EPOCHS, seed: int = 0, progress: JobProgress = lambda job, done, total: None
) -> DemoResult:
    """Train both methods on both sets, side by side in processes."""
    jobs = [_Job(dataset, method, epochs[dataset], seed) for dataset, method in _JOBS]
    results = dict(zip(_JOBS, in_processes(_fit_and_judge, jobs, progress=progress), strict=True))
    return DemoResult(
        {key: scores for key, (scores, _) in results.items()},
        {key: curves for key, (_, curves) in results.items()},
        dict(epochs),
        seed,
    )


def prepare(out: Path) -> None:
    """Find out before the training, not after, whether the page can be written to this folder."""
    out.mkdir(parents=True, exist_ok=True)
    if not os.access(out, os.W_OK):
        raise PermissionError(f"cannot write to the folder {str(out)!r}; choose another with --out")


def job_names() -> list[str]:
    """What runs, in the order in which progress is told."""
    return [f"{METHOD_TITLES[method]} on {dataset}" for dataset, method in _JOBS]


def write_demo(result: DemoResult, out: Path) -> Path:
    """The demo's page, `report.html`, and its Figure 1, `figure1.png`, in the folder `out`."""
    data = {dataset: _shown(dataset, result.seed) for dataset in result.epochs}
    figure1 = png(subnetworks_figure(data, result.curves))
    panels = [
        Picture(
            png(mean_and_std_figure(dataset, data[dataset], _by_method(result.curves, dataset))),
            f"{dataset}: the data and the mean (above), the predicted std (below)"
            + (" against the true std of the noise." if dataset == "toy-noise" else "; the data have no noise."),
        )
        for dataset in data
    ]
    sections = [
        Section(
            f"{N_LINES} sub-networks of each",
            [
                "Every gray line is one sub-network: the trained network with some of its units dropped at random. "
                "Wasserstein dropout trains them so that their spread matches the noise in the data (blue). "
                "MC dropout pulls all of them towards the same curve."
            ],
            pictures=[
                Picture(
                    figure1,
                    f"{N_LINES} sub-networks (gray) over the data (blue), as in the paper's Figure 1. Rows: data "
                    "sets; columns: methods.",
                )
            ],
        ),
        Section("Scores on held-out points", tables=[result.table()]),
        Section(
            "Mean and std",
            [
                "toy-noise is noise alone; its std falls from 1 in the middle to 0.01 at the edges. toy-hf has no "
                "noise at all, but its fast sine is too much for 2 × 50 units: what the network cannot follow acts "
                "as noise. To the spread of its sub-networks MC dropout adds a constant, the same everywhere."
            ],
            pictures=panels,
        ),
    ]
    target = out / "report.html"
    write_whole(out / "figure1.png", figure1)
    write_whole(target, page("Do the error bars tell the truth?", verdict(result), sections, "wdrop demo"))
    return target


def verdict(result: DemoResult) -> str:
    """The demo in two sentences, read off the curves on toy-noise."""
    parts = []
    for place, where in ((0.0, "In the middle of toy-noise"), (12.0, "Towards its edge, at x = 12,")):
        true = float(toy_noise_std(torch.tensor(place)))
        said = [
            f"{METHOD_TITLES[method]} says {np.interp(place, curves.x, curves.std):.2f}"
            for method, curves in _by_method(result.curves, "toy-noise").items()
        ]
        parts.append(f"{where} the noise has a std of {true:.2f}: {', '.join(said)}.")
    return " ".join(parts)


@final
@dataclass(frozen=True)
class _Job:
    dataset: str
    method: str
    epochs: int
    seed: int


def _points(dataset: str, seed: int) -> Points:
    return TOYS[dataset](generator=generator_for("demo", "data", dataset, seed))


def _method(name: str, epochs: int) -> Method:
    """The paper's settings for toy sets."""
    net = MLP(width=50)
    if name == "w_dropout":
        return WDropout(net=net, training=Training(epochs=epochs), n_draws=10)
    # With its additive variance as published, since the published numbers stand beside it.
    return MCDropout(net=net, training=Training(epochs=epochs, weight_decay=1e-6), as_published=True)


def _fit_and_judge(job: _Job, progress: Progress) -> tuple[dict[str, float], ToyCurves]:
    """Scores on held-out points in standardised units, as the paper has them, and curves in the data's units."""
    points = _points(job.dataset, job.seed)
    order = torch.randperm(len(points), generator=generator_for("demo", "split", job.dataset, job.seed))
    n_train = int(0.8 * len(points))
    train, test = points[order[:n_train]], points[order[n_train:]]
    scaler = Scaler.of(train)
    names = (job.dataset, job.method, job.seed)
    method = _method(job.method, job.epochs)
    predictor = method.fit(scaler.points(train), generator=generator_for("demo", "fit", *names), progress=progress)
    judged = scaler.points(test)
    prediction = predictor.predict(judged.x, generator=generator_for("demo", "judge", *names))
    scores = evaluate(prediction.mean, prediction.std, judged.y)

    grid = torch.linspace(float(points.x.min()), float(points.x.max()), N_GRID).unsqueeze(1)
    assert isinstance(predictor, SampledPredictor)
    lines = replace(predictor, n_samples=N_LINES)
    drawn = lines.predict(scaler.inputs(grid), generator=generator_for("demo", "lines", *names), keep_samples=True)
    drawn = scaler.in_units_of_y(drawn)
    assert drawn.samples is not None
    return scores, ToyCurves(_numpy(grid), _numpy(drawn.mean), _numpy(drawn.std), _numpy(drawn.samples))


def _shown(dataset: str, seed: int) -> ToyData:
    """The data as the figures show them: at most 2500 points, lest they cover the lines."""
    points = _points(dataset, seed)
    some = points[:: max(1, len(points) // 2500)]
    true_std = None
    if dataset == "toy-noise":
        x = torch.linspace(-15, 15, N_GRID)
        true_std = np.stack([x.numpy(), toy_noise_std(x).numpy()])
    return ToyData(_numpy(some.x), _numpy(some.y), true_std)


def _by_method(curves: Mapping[tuple[str, str], ToyCurves], dataset: str) -> dict[str, ToyCurves]:
    return {method: drawn for (name, method), drawn in curves.items() if name == dataset}


def _numpy(values: Tensor) -> NDArray[np.float32]:
    return values.squeeze(-1).numpy()
