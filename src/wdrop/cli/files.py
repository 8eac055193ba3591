"""Options that all commands on the user's own files share."""

from typing import Annotated

import typer

Separator = Annotated[str, typer.Option("--sep", help="What separates the columns of csv files; \\t is a tab.")]
Encoding = Annotated[str, typer.Option(help="How text files are written, such as latin-1 or utf-16.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is already there.")]
Report = Annotated[str | None, typer.Option("--report", help="File for a page with figures, such as report.html.")]
Level = Annotated[float, typer.Option(help="Probability with which y is expected between lower and upper.")]
ClosedForm = Annotated[
    bool, typer.Option("--closed-form", help="Ask networks that draw for the moments of all draws at once: faster.")
]
ModelPath = Annotated[str, typer.Argument(metavar="MODEL", help="A file that `wdrop fit` or `Regressor.save` wrote.")]


def separator(typed: str) -> str:
    """The separator that was meant: a shell has no easy way to type a tab."""
    return "\t" if typed in ("\\t", "tab") else typed
