from dataclasses import asdict
from typing import Annotated

import typer

from wdrop._json import json_text
from wdrop.cli.files import Data, Encoding, Force, Ignore, Report, Separator, Target, dialect
from wdrop.cli.progress import job_bars
from wdrop.files import DEFAULT_METHOD


def fit(
    data: Data,
    target: Target,
    out: Annotated[str, typer.Option("--out", "-o", help="File to write the model to.")] = "model.wdrop",
    method: Annotated[str, typer.Option(help="A method; the documentation has a page for each.")] = DEFAULT_METHOD,
    calibrate: Annotated[
        str, typer.Option(help="cross, split, cv_plus, none, or a map of docs/calibration.md.")
    ] = "cross",
    ignore: Ignore = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps of training; 10,000 if not given.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Name of the random streams; another seed, another model.")] = 0,
    device: Annotated[str, typer.Option(help="Where to train; auto takes a GPU if there is one.")] = "auto",
    report: Report = None,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Fit a model with honest error bars to a table, and write it to a file."""
    from wdrop.files.fit_file import fit_file

    with job_bars(["fit"]) as progress:
        fitted = fit_file(
            data, target, out, method=method, calibrate=calibrate, ignore=ignore or (), seed=seed, n_steps=steps,
            device=device, dialect=dialect(sep, encoding), force=force,
            report=report, progress=lambda done, total: progress(0, done, total),
        )  # fmt: skip
    if as_json:
        typer.echo(json_text(asdict(fitted)))
        return
    names = ", ".join(fitted.target)
    typer.echo(f"{fitted.method} for {names}: {fitted.rows} rows, {fitted.features} features, {fitted.seconds:.0f} s")
    if fitted.scores:
        typer.echo(f"on rows that the networks asked had not seen ({fitted.calibrate}):")
        for name, scores in fitted.scores.items():
            if len(fitted.target) > 1:
                typer.echo(f"{name}:")
            for line in score_lines(scores):
                typer.echo(line)
    else:
        typer.echo("no row was held out, so there is no score; --calibrate cross gives both scores and a better std")
    if "calibration_scale" in fitted.facts:
        typer.echo(f"calibration multiplied std by {fitted.facts['calibration_scale']:.3g}")
    typer.echo(f"the model: {fitted.path}")
    if report is not None:
        typer.echo(f"the page with all figures: {report}")


def score_lines(scores: dict[str, float]) -> list[str]:
    """A line for each measure, as a terminal shows it."""
    from wdrop.measures import MEASURES

    return [f"  {MEASURES[name].heading:<14} {value:.4g}" for name, value in scores.items()]
