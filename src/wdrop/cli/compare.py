from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from wdrop._json import json_text
from wdrop._outputs import check_folder, check_results
from wdrop.cli.files import Data, Encoding, Force, Ignore, Separator, Target, dialect
from wdrop.cli.progress import job_bars
from wdrop.cli.tables import print_table

if TYPE_CHECKING:
    from wdrop.estimators.compare import Comparison

_INTERRUPTED = 130


def compare(
    data: Data,
    target: Target,
    methods: Annotated[str | None, typer.Option(help="Methods with commas between; all if not given.")] = None,
    shift: Annotated[
        str | None, typer.Option(help="Judge also beyond the rows of training: label, pca or label,pca.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the page and all scores.")] = None,
    baseline: Annotated[bool, typer.Option(help="Let gradient boosting stand beside the networks.")] = True,
    ignore: Ignore = None,
    folds: Annotated[int, typer.Option(min=2, max=10, help="How many tenths of the rows are tested.")] = 10,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps of training; as `wdrop fit` if not given.")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Epochs of training, instead of steps.")] = None,
    rows: Annotated[int, typer.Option(min=20, help="Of a longer table, use so many rows, drawn at random.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Name of the random streams; another seed, other folds.")] = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; as many as cores by default.")
    ] = None,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print scores and recommendation as JSON.")] = False,
) -> None:
    """Cross-validate methods on a table, raw and calibrated; recommend one, or say that none is clearly best."""
    from wdrop.estimators.compare import Plan, methods_of
    from wdrop.files.compare_file import compare_file

    plan = Plan(
        methods=methods_of(_names("--methods", methods), baseline=baseline),
        splits=("iid", *_names("--shift", shift)), n_folds=folds,
        epochs=epochs, n_steps=steps, max_rows=rows, seed=seed,
    )  # fmt: skip
    if out is not None:
        check_results([out / "report.html", out / "scores.csv"], [Path(data)], force=force)
        check_folder(out)
    with job_bars(plan.titles) as progress:
        found = compare_file(
            data, target, plan=plan, ignore=ignore or (), dialect=dialect(sep, encoding), n_processes=jobs,
            progress=progress,
        )  # fmt: skip
    _tell(found, _report(found, out, ", ".join(target)), as_json)
    if found.left:
        raise typer.Exit(_INTERRUPTED)
    if found.errors:
        raise typer.Exit(1)


def _names(option: str, given: str | None) -> tuple[str, ...]:
    if given is None:
        return ()
    names = tuple(name for part in given.split(",") if (name := part.strip()))
    if not names:
        raise ValueError(f"expected names with commas between after {option}, got {given!r}; else leave it out")
    return names


def _report(found: "Comparison", out: Path | None, target: str) -> Path | None:
    from wdrop.report.comparison.page import write_compare_report

    if out is None or not found.contestants:
        return None
    return write_compare_report(
        out, found.contestants, target=target, facts=found.facts, notes=found.notes, errors=found.errors
    )


def _tell(found: "Comparison", page: Path | None, as_json: bool) -> None:
    from wdrop.report.comparison.page import lead
    from wdrop.report.comparison.tables import plain_scores, scores_tables

    said = lead(found.contestants) if found.contestants else "No method is done."
    if as_json:
        told = {
            "recommendation": said, "scores": plain_scores(found.contestants), "failed": dict(found.errors),
            "left": list(found.left), "page": None if page is None else str(page),
        }  # fmt: skip
        typer.echo(json_text(told))
        return
    for table in scores_tables(found.contestants, narrow=True):
        print_table(table)
    typer.echo(said)
    for title, why in found.errors.items():
        Console(stderr=True).print(f"failed: {title}: {why}", markup=False, highlight=False, soft_wrap=True)
    if found.left:
        typer.echo(f"Not reached: {'; '.join(found.left)}")
    if page is not None:
        typer.echo(f"The page with all figures: {page}")
