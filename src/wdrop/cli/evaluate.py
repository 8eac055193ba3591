import json
from typing import Annotated

import typer

from wdrop.cli.files import ClosedForm, Data, Encoding, Force, Level, ModelPath, Report, Separator, dialect
from wdrop.cli.fit import score_lines
from wdrop.cli.progress import job_bars

_MOST_FEATURES = 10  # in a list


def evaluate(
    model: ModelPath,
    data: Data,
    level: Level = 0.9,
    closed_form: ClosedForm = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", help="A column to read as if it were not there, such as a target; may be repeated."),
    ] = None,
    report: Report = None,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all that was found as JSON.")] = False,
) -> None:
    """Say whether a model's error bars hold on a table, and how far its rows are from those of training."""
    from wdrop.files.evaluate_file import evaluate_file

    with job_bars(["evaluate"]) as progress:
        found = evaluate_file(
            model, data, level=level, closed_form=closed_form, ignore=ignore or (), dialect=dialect(sep, encoding),
            report=report, force=force, progress=lambda done, total: progress(0, done, total),
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=2))
        return
    for sentence in found.verdict:
        typer.echo(sentence)
    for target, scores in found.scores.items():
        typer.echo(f"\n{target}, {found.calibration[target].rows} of {found.rows} rows:")
        for line in score_lines(dict(scores)):
            typer.echo(line)
    if found.shift is not None and found.shift.shifted:
        typer.echo(
            "\nfeatures that differ from training (distance from 0 to 1, moved by std, share outside its range):"
        )
        for feature in found.shift.shifted[:_MOST_FEATURES]:
            typer.echo(f"  {feature.distance:.2f}  {feature.moved:+6.2f}  {feature.outside:4.0%}  {feature.title}")
    if report is not None:
        typer.echo(f"\nthe page with all figures: {report}")
