from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from wdrop._json import json_text

app = typer.Typer(help="The paper's tables: what is known of them, where they are, how to get them.")

Name = Annotated[str, typer.Argument(help="A table; `wdrop data list` shows them.")]


@app.command("list")
def list_tables(
    kind: Annotated[str, typer.Option(help="tables, or detection: pictures with boxes.")] = "tables",
    as_json: Annotated[bool, typer.Option("--json", help="Print all that is known as JSON.")] = False,
) -> None:
    """All tables, or all sets of pictures: what they are, licence, home, and where the files are or how to get them."""
    from wdrop._checks import known
    from wdrop.data.overview import overview

    known("kind of data", kind, ("tables", "detection"))
    if kind == "detection":
        _list_pictures(as_json)
        return
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


def _list_pictures(as_json: bool) -> None:
    from wdrop.detect.data.statistics import list_rows

    rows = list_rows()
    if as_json:
        typer.echo(json_text(rows))
        return
    for row in rows:
        typer.echo(f"{row['data set']}: {row['kind']}, {row['place']}; split {row['split']}")
        typer.echo(f"    {row['here']}")
        typer.echo(
            f"    {row['home']}, licence: {row['licence']}; pictures / objects in the paper: {row['in the paper']}"
        )
        if row["note"]:
            typer.echo(f"    {row['note']}")


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
