from textwrap import TextWrapper
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from wdrop._json import json_text

app = typer.Typer(help="The paper's tables: what is known of them, where they are, how to get them.")

Name = Annotated[str, typer.Argument(help="A table; `wdrop data list` shows them.")]


@app.command("list")
def list_tables(
    kind: Annotated[str, typer.Option(help="tables, or detection: pictures with boxes.")] = "tables",
    show: Annotated[
        str,
        typer.Option(
            help="Of detection: sets; classes, what the sets' words mean; or counts, of pictures and objects on "
            "this disk and in the paper (reads all labels, which takes minutes on large sets)."
        ),
    ] = "sets",
    as_json: Annotated[bool, typer.Option("--json", help="Print all that is known as JSON.")] = False,
) -> None:
    """All tables, or all sets of pictures: what they are, licence, home, and where the files are or how to get them."""
    from wdrop._checks import known
    from wdrop.data.overview import overview

    known("kind of data", kind, ("tables", "detection"))
    if kind == "detection":
        _list_pictures(show, as_json)
        return
    if show != "sets":
        raise ValueError(f"expected --show with --kind detection only, got --show {show} of tables")
    tables = overview()
    if as_json:
        typer.echo(json_text(tables))
        return
    for table in tables:  # in lines, not in columns: addresses and paths are longer than a terminal is wide
        typer.echo(f"{table['name']}: {table['rows']} rows, {table['features']} features, target: {table['target']}")
        typer.echo(f"    {table['where']}")
        typer.echo(f"    {table['home']}, licence: {table['licence']}")
        if table["note"]:
            typer.echo(f"    {table['note']}")


def _list_pictures(show: str, as_json: bool) -> None:
    from wdrop._checks import known
    from wdrop.detect.data.classes import harmonisation_rows
    from wdrop.detect.data.statistics import counted_rows, list_rows

    asked = {"sets": list_rows, "classes": harmonisation_rows, "counts": counted_rows}
    known("view", show, asked)
    rows = asked[show]()
    if as_json:
        typer.echo(json_text(rows))
    elif show == "counts":
        _print_counts(rows)
    else:
        lines = TextWrapper(
            100, initial_indent=" " * 4, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False
        )
        for row in rows:
            typer.echo(row.pop("data set"))
            for heading, text in row.items():
                if text:
                    typer.echo(lines.fill(f"{heading}: {text}"))


def _print_counts(rows: list[dict[str, Any]]) -> None:
    from wdrop.cli.tables import print_table
    from wdrop.report.tables import Table

    headings = [heading.replace("in the paper", "(paper)") for heading in rows[0]]
    texts = [[f"{value:,}" if isinstance(value, int) else value or "–" for value in row.values()] for row in rows]
    print_table(Table("Pictures with objects", headings, texts, "–: not on this disk, or not in the paper."))


@app.command()
def path(name: Name) -> None:
    """The file of a table; an error says what to do if there is none."""
    from wdrop.data.overview import table_path

    typer.echo(str(table_path(name)))


@app.command()
def fetch(name: Name) -> None:
    """Download a table from its public home into the user's cache, check it, and print its path."""
    from wdrop.data.download import fetch

    with _ByteBar(name) as bar:
        found = fetch(name, bar=bar)
    typer.echo(str(found))


class _ByteBar:
    """A bar on stderr that counts bytes, in a terminal only; its methods are those that a download calls."""

    def __init__(self, title: str) -> None:
        console = Console(stderr=True)
        columns = (TextColumn(title), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal)
        self._task = self._progress.add_task(title, total=None)
        self._total = 0

    @property
    def total(self) -> int:
        return self._total

    @total.setter
    def total(self, n: int) -> None:
        self._total = n
        self._progress.update(self._task, total=n or None)

    def update(self, n: int) -> None:
        self._progress.advance(self._task, n)

    def reset(self) -> None:
        self._progress.update(self._task, completed=0)

    def close(self) -> None:
        """Nothing: the bar ends with the command."""

    def __enter__(self) -> "_ByteBar":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
