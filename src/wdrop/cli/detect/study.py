from pathlib import Path
from typing import Annotated

import typer

from wdrop.cli import study as studies


def study(
    name: Annotated[str, typer.Argument(help="A study of detectors that comes with wdrop, or a TOML file.")] = "mini",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder of the report.")] = None,
    store: studies.StorePath = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; as many as cores if not told.")
    ] = None,
    records: studies.Records = None,
) -> None:
    """Run what is left of a study and write its report: `wdrop study run` and `wdrop study report` in one."""
    from wdrop.study.plan import load_study

    if not any(one.is_detection for one in load_study(name).runs):
        raise ValueError(
            f"expected a study of detectors, got {name!r}, which trains none; use `wdrop study run {name}`"
        )
    failed: typer.Exit | None = None
    try:
        studies.run(name, store=store, jobs=jobs, records=records)
    except typer.Exit as error:  # some run failed: the rest is told all the same
        failed = error
    studies.report(name, out=out, store=store)
    if failed is not None:
        raise failed
