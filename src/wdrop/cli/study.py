import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from wdrop.cli.progress import job_bars

if TYPE_CHECKING:
    from wdrop.study.plan import Study
    from wdrop.study.store import Store

app = typer.Typer(help="Plans of runs: run what is left, see how far it is, make tables, figures and a page.")

Name = Annotated[str, typer.Argument(help="A study that comes with wdrop, or a TOML file.")]
StorePath = Annotated[
    Path | None, typer.Option("--store", help="Folder of the outcomes; the user's cache if not given.")
]
Only = Annotated[list[str] | None, typer.Option(help="Only runs with this, e.g. method=mc_dropout; may be repeated.")]


@app.command()
def run(
    name: Name,
    only: Only = None,
    store: StorePath = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; as many as cores by default.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what is left, run nothing.")] = False,
) -> None:
    """Run what is left of a study; what is done is never repeated."""
    from wdrop.study.work import jobs_for, left, work

    study, place = _open(name, only, store)
    runs = left(study, place)
    if dry_run:
        for one in runs:
            typer.echo(one.title)
        typer.echo(f"{len(runs)} of {len(study.runs)} runs are left")
        return
    start = time.perf_counter()
    todo = jobs_for(runs, place)
    with job_bars([job.title for job in todo]) as progress:
        errors = work(todo, n_processes=jobs, progress=progress)
    seconds = time.perf_counter() - start
    typer.echo(
        f"{len(runs) - len(errors)} runs done in {seconds / 60:.1f} minutes, {len(errors)} failed; {place.folder}"
    )
    for error in errors:
        Console(stderr=True).print(error, markup=False, highlight=False, soft_wrap=True)
    if errors:
        raise typer.Exit(1)


@app.command()
def status(name: Name, only: Only = None, store: StorePath = None) -> None:
    """How many runs are done, left and failed."""
    from wdrop.study.work import tally

    study, place = _open(name, only, store)
    count = tally(study, place)
    typer.echo(f"{count.done} done, {count.left} left, {count.failed} of them failed when last tried")
    typer.echo(f"{count.seconds / 3600:.2f} core-hours so far, about {count.seconds_left / 3600:.2f} to go")


@app.command()
def report(
    name: Name,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder to write to; results/NAME by default.")
    ] = None,
    store: StorePath = None,
) -> None:
    """Write records, tables, figures and a page; trains nothing."""
    from wdrop.study.reports import write_report

    study, place = _open(name, None, store)
    typer.echo(str(write_report(study, place, out or Path("results") / study.name)))


def _open(name: str, only: list[str] | None, store: Path | None) -> "tuple[Study, Store]":
    from wdrop.study.plan import load_study
    from wdrop.study.store import Store
    from wdrop.study.work import default_store

    study = load_study(name)
    conditions = {}
    for condition in only or []:
        key, equals, value = condition.partition("=")
        if not equals:
            raise ValueError(f"expected --only key=value, got {condition!r}")
        conditions[key] = value
    place = default_store(study) if store is None else Store(store)
    study = study.only(conditions)
    if not study.runs:
        raise ValueError(f"no run of study {study.name!r} has {' and '.join(only or [])}")
    return study, place
