import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from wdrop._json import json_text
from wdrop.cli.progress import job_bars

if TYPE_CHECKING:
    from wdrop.study.plan import Study
    from wdrop.study.store import Store

app = typer.Typer(help="Plans of runs: run what is left, see how far it is, make tables, figures and a page.")

Name = Annotated[str, typer.Argument(help="A study that comes with wdrop, or a TOML file.")]
StorePath = Annotated[
    Path | None, typer.Option("--store", help="Folder of the outcomes; the user's cache if not given.")
]
Records = Annotated[
    Path | None,
    typer.Option(
        "--records", help="Count the runs in this records.csv as done, beside those in the store, which stays as it is."
    ),
]
KeptRecords = Annotated[
    Path | None,
    typer.Option(
        "--records",
        help="Go on from this records.csv: its runs are put into the store, without predictions, and never run again.",
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Only runs with this, e.g. method=mc_dropout; may be repeated, and one key for either value."),
]


@app.command()
def run(
    name: Name,
    only: Only = None,
    store: StorePath = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; as many as cores by default.")
    ] = None,
    records: KeptRecords = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler that does the work, e.g. tcp://host:8786.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what is left, run nothing.")] = False,
) -> None:
    """Run what is left of a study; what is done is never repeated."""
    from wdrop.study.cluster import work_on_cluster
    from wdrop.study.work import jobs_for, left, work

    study, place = _open(name, only, store)
    place = _with_records(study, place, records, keep=not dry_run)
    runs = left(study, place)
    if dry_run:
        for one in runs:
            typer.echo(one.title)
        typer.echo(f"{len(runs)} of {len(study.runs)} runs are left")
        return
    start = time.perf_counter()
    todo = jobs_for(runs, place, study.plugins)
    with job_bars([job.title for job in todo]) as progress:
        if scheduler is not None:
            done = work_on_cluster(todo, scheduler, progress=progress)
        else:
            place.sweep()
            done = work(todo, n_processes=jobs, progress=progress)
    minutes = (time.perf_counter() - start) / 60
    n_failed = len(done.errors)
    elsewhere = f", {done.elsewhere} left to another process" if done.elsewhere else ""
    n_done = len(runs) - n_failed - done.elsewhere
    typer.echo(f"{n_done} runs done in {minutes:.1f} minutes, {n_failed} failed{elsewhere}; {place.folder}")
    for error in done.errors:
        Console(stderr=True).print(error, markup=False, highlight=False, soft_wrap=True)
    if done.errors:
        raise typer.Exit(1)


@app.command()
def status(
    name: Name,
    only: Only = None,
    store: StorePath = None,
    records: Records = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the count as JSON.")] = False,
) -> None:
    """How many runs are done, left and failed, what they cost, and how long the rest will take."""
    from wdrop.study.cost import tally

    study, place = _open(name, only, store)
    place = _with_records(study, place, records)
    count, n_processes = tally(study, place), os.cpu_count() or 1
    wall = count.wall_seconds_left(n_processes)
    if as_json:
        told = {"total_seconds": count.total_seconds, "processes": n_processes, "wall_seconds_left": wall}
        typer.echo(json_text({**asdict(count), **told}))
        return
    typer.echo(f"{count.done} done, {count.left} left, {count.failed} of them failed when last tried")
    if not count.done:
        typer.echo("what it costs is not known before a run is done")
        return
    hours = [seconds / 3600 for seconds in (count.seconds, count.seconds_left, count.total_seconds)]
    typer.echo("{:.2f} core-hours so far, about {:.2f} to go; the whole plan: about {:.2f}".format(*hours))
    if count.left:
        typer.echo(f"about {_in_words(wall)} to go with {n_processes} process{'es' if n_processes > 1 else ''}")
    if count.peak_mib == count.peak_mib:  # not every system tells
        typer.echo(f"at most {count.peak_mib:.0f} MiB in a process")


@app.command()
def remeasure(name: Name, only: Only = None, store: StorePath = None) -> None:
    """Take all measures anew from the predictions that are kept; trains nothing."""
    from wdrop.study.remeasure import remeasure as measure_again

    study, place = _open(name, only, store)
    with job_bars(["measures"]) as progress:
        without = measure_again(study, place, lambda done, total: progress(0, done, total))
    typer.echo(f"done; {len(without)} runs are recorded without their predictions and stay as they were")


@app.command()
def report(
    name: Name,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder to write to; results/NAME by default.")
    ] = None,
    store: StorePath = None,
    records: Records = None,
) -> None:
    """Write records, tables, figures and a page; trains nothing."""
    from wdrop.study.reports.write import write_report

    study, place = _open(name, None, store)
    place = _with_records(study, place, records)
    typer.echo(str(write_report(study, place, out or Path("results") / (study.results or study.name))))


@app.command()
def claims(
    results: Annotated[Path, typer.Option(help="Folder with the results of studies.")] = Path("results"),
) -> None:
    """Judge the paper's claims by the records in results/, and write results/claims.md; trains nothing."""
    from wdrop.study.reports.claims import write_claims

    typer.echo(str(write_claims(results)))


def _with_records(study: "Study", place: "Store", records: Path | None, *, keep: bool = False) -> "Store":
    """The store, with the runs in records.csv as if they were in it; `keep` writes them there."""
    if records is None:
        return place
    from wdrop.study.adopt import recorded

    found = recorded(study, place, records)
    left_out = f", {found.n_cut} left out: some of their rows are missing" if found.n_cut else ""
    told = f"{len(found.rows)} runs taken from {records}{left_out}"
    Console(stderr=True).print(told, markup=False, highlight=False, soft_wrap=True)
    if not keep:
        return found.beside(place)
    found.into(place, study)
    return place


def _open(name: str, only: list[str] | None, store: Path | None) -> "tuple[Study, Store]":
    from wdrop.study.plan import load_study
    from wdrop.study.store import Store
    from wdrop.study.work import default_store

    study = load_study(name)
    conditions: dict[str, list[str]] = {}
    for condition in only or []:
        key, equals, value = condition.partition("=")
        if not equals:
            raise ValueError(f"expected --only key=value, got {condition!r}")
        conditions.setdefault(key, []).append(value)
    place = default_store(study) if store is None else Store(store)
    study = study.only(conditions)
    if not study.runs:
        raise ValueError(f"no run of study {study.name!r} has {' and '.join(only or [])}")
    return study, place


def _in_words(seconds: float) -> str:
    """The time in the unit that people would take."""
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 100 * 60 else f"{seconds / 3600:.1f} hours"
