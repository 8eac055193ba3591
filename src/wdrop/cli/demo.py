from pathlib import Path
from typing import Annotated

import typer

from wdrop._json import json_text
from wdrop.cli.progress import job_bars
from wdrop.cli.tables import print_table


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the page and its figure.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Name of the random streams; another seed, another run.")] = 0,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Epochs on either set, for a short run; as published if not given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")] = False,
) -> None:
    """Train Wasserstein dropout and MC dropout on the paper's toy sets; print scores, write a page."""
    from wdrop.study.demo import EPOCHS, job_names, prepare, run_demo, write_demo

    prepare(out)
    chosen = EPOCHS if epochs is None else dict.fromkeys(EPOCHS, epochs)
    with job_bars(job_names()) as progress:
        result = run_demo(epochs=chosen, seed=seed, progress=progress)
    page = write_demo(result, out)
    if as_json:
        runs = [{"dataset": name, "method": method, **row} for (name, method), row in result.scores.items()]
        typer.echo(json_text({"epochs": result.epochs, "seed": seed, "runs": runs, "page": str(page)}))
    else:
        print_table(result.table())
        typer.echo(f"\nThe page with all figures: {page}")
