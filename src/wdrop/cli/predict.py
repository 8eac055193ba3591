import os
from typing import Annotated

import typer

from wdrop.cli.files import ClosedForm, Data, Encoding, Force, Level, ModelPath, Separator, dialect
from wdrop.cli.progress import job_bars


def predict(
    model: ModelPath,
    data: Data,
    out: Annotated[
        str, typer.Option("--out", "-o", help="A csv, csv.gz or parquet file to write; - is csv on stdout.")
    ] = "-",
    level: Level = 0.9,
    closed_form: ClosedForm = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    force: Force = False,
) -> None:
    """Add mean, std, lower and upper to each row of a table, of any length."""
    # Before numpy loads: its products are small here and pieces run side by side, so threads within would only wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from wdrop.files.predict_file import predict_file

    with job_bars(["predict"]) as progress:
        told = predict_file(
            model, data, out, level=level, closed_form=closed_form, dialect=dialect(sep, encoding),
            force=force, progress=lambda done, total: progress(0, done, total),
        )  # fmt: skip
    if out != "-":
        typer.echo(f"{told.rows} rows with {', '.join(told.added)} in {told.seconds:.1f} s: {told.path}")
