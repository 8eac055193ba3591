"""Options that all commands on the user's own files share."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from wdrop.files.csv_source import Dialect

Data = Annotated[str, typer.Argument(metavar="DATA", help="A csv, csv.gz or parquet file; - reads csv from stdin.")]
Target = Annotated[list[str], typer.Option("--target", "-t", help="The column to predict; may be repeated.")]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", help="A column that is no feature; may be repeated.")]
Separator = Annotated[str, typer.Option("--sep", help="What separates the columns of csv files; \\t is a tab.")]
Encoding = Annotated[str, typer.Option(help="How text files are written, such as latin-1 or utf-16.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is already there.")]
Report = Annotated[str | None, typer.Option("--report", help="File for a page with figures, such as report.html.")]
Level = Annotated[float, typer.Option(help="Probability with which y is expected between lower and upper.")]
ClosedForm = Annotated[
    bool, typer.Option("--closed-form", help="Ask networks that draw for the moments of all draws at once: faster.")
]
ModelPath = Annotated[str, typer.Argument(metavar="MODEL", help="A file that `wdrop fit` or `Regressor.save` wrote.")]


def dialect(separator: str, encoding: str) -> "Dialect":
    """How a file is written; a shell has no easy way to type a tab."""
    from wdrop.files.csv_source import Dialect

    return Dialect("\t" if separator in ("\\t", "tab") else separator, encoding)
