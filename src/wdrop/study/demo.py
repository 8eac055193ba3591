"""The first thing to run: Wasserstein dropout and MC dropout on the paper's two toy sets."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, final

import numpy as np
import torch

from wdrop._processes import JobProgress, in_processes
from wdrop.data.toy import toy_noise_std
from wdrop.measures import MEASURES
from wdrop.report.figures import METHOD_TITLES, png
from wdrop.report.page import Picture, Section, page, write_whole
from wdrop.report.published import published
from wdrop.report.tables import Cell, Table
from wdrop.report.toy import ToyCurves, mean_and_std_figure, subnetworks_figure
from wdrop.study.plan import Run, parse_study
from wdrop.study.reports.curves import toy_curves, toy_data
from wdrop.study.run import N_LINES, Outcome, execute

EPOCHS: Mapping[str, int] = MappingProxyType({"toy-noise": 150, "toy-hf": 1000})
"""As published."""

_MEASURES = ("rmse", "nll", "ece", "ws", "etl")


def demo_runs(epochs: Mapping[str, int] = EPOCHS, seed: int = 0) -> list[Run]:
    """The runs of the demo with the paper's settings, the longest first: two processes then end at about the same time.

    MC dropout has its additive variance as published, since the published numbers stand beside it.
    """
    group: dict[str, Any] = {"split": "iid-80/20", "net": {"width": 50}, "curve": True, "seed": seed}
    group["method"] = [{"name": "w_dropout", "n_draws": 10}, {"name": "mc_dropout", "as_published": True}]
    groups = {name: {**group, "dataset": name, "training": {"epochs": n}} for name, n in epochs.items()}
    return list(parse_study("demo", {"groups": groups}).runs)


@final
@dataclass(frozen=True, eq=False)
class DemoResult:
    """The runs and what they left."""

    runs: Sequence[Run]
    outcomes: Sequence[Outcome]
    epochs: Mapping[str, int]

    @property
    def as_published(self) -> bool:
        return dict(self.epochs) == dict(EPOCHS)

    @property
    def scores(self) -> dict[tuple[str, str], Mapping[str, Any]]:
        """The record on held-out points, by data set and method."""
        judged = (next(row for row in outcome.rows if row["part"] == "test") for outcome in self.outcomes)
        return dict(zip(((run.dataset, run.method_name) for run in self.runs), judged, strict=True))

    @property
    def curves(self) -> dict[tuple[str, str], ToyCurves]:
        drawn = (toy_curves(outcome.arrays) for outcome in self.outcomes)
        return dict(zip(((run.dataset, run.method_name) for run in self.runs), drawn, strict=True))

    def table(self) -> Table:
        """Our scores, with the paper's beside them if as many epochs were run."""
        headings = ["data set", "method", *(MEASURES[name].heading for name in _MEASURES)]
        rows: list[Sequence[str | Cell]] = []
        for (dataset, method), scores in self.scores.items():
            theirs = [published("toy", "test", dataset, method, name) for name in _MEASURES]
            cells = [
                Cell(scores[name], value if self.as_published else None)
                for name, value in zip(_MEASURES, theirs, strict=True)
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
            f"; one network each, seed {self.runs[0].seed}, judged on 20 % of the points, held out, in standardised "
            "units. ETL is 2.89 at best; of the others, less is better."
        )
        return Table(title, headings, rows, note)


def run_demo(
    *, epochs: Mapping[str, int] = EPOCHS, seed: int = 0, progress: JobProgress = lambda job, done, total: None
) -> DemoResult:
    """Train both methods on both sets, side by side in processes."""
    runs = demo_runs(epochs, seed)
    outcomes = in_processes(execute, runs, progress=progress)
    for run, outcome in zip(runs, outcomes, strict=True):
        if outcome.rows[0]["error"]:
            raise RuntimeError(f"{run.title}: {outcome.rows[0]['error']}")
    return DemoResult(runs, outcomes, dict(epochs))


def job_names() -> list[str]:
    """What runs, in the order in which progress is told."""
    return [f"{METHOD_TITLES[run.method_name]} on {run.dataset}" for run in demo_runs()]


def prepare(out: Path) -> None:
    """Find out before the training, not after, whether the page can be written to this folder."""
    out.mkdir(parents=True, exist_ok=True)
    if not os.access(out, os.W_OK):
        raise PermissionError(f"cannot write to the folder {str(out)!r}; choose another with --out")


def write_demo(result: DemoResult, out: Path) -> Path:
    """The demo's page, `report.html`, and its Figure 1, `figure1.png`, in the folder `out`."""
    data = {run.dataset: toy_data(run) for run in result.runs}
    curves = result.curves
    figure1 = png(subnetworks_figure(data, curves))
    panels = [
        Picture(
            png(mean_and_std_figure(dataset, data[dataset], _by_method(curves, dataset))),
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
    write_whole(target, page("Do the error bars tell the truth?", verdict(curves), sections, "wdrop demo"))
    return target


def verdict(curves: Mapping[tuple[str, str], ToyCurves]) -> str:
    """The demo in two sentences, read off the curves on toy-noise."""
    parts = []
    for place, where in ((0.0, "In the middle of toy-noise"), (12.0, "Towards its edge, at x = 12,")):
        true = float(toy_noise_std(torch.tensor(place)))
        said = [
            f"{METHOD_TITLES[method]} says {np.interp(place, drawn.x, drawn.std):.2f}"
            for method, drawn in _by_method(curves, "toy-noise").items()
        ]
        parts.append(f"{where} the noise has a std of {true:.2f}: {', '.join(said)}.")
    return " ".join(parts)


def _by_method(curves: Mapping[tuple[str, str], ToyCurves], dataset: str) -> dict[str, ToyCurves]:
    return {method: drawn for (name, method), drawn in curves.items() if name == dataset}
