from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from wdrop.report.tables import Cell, Table, number


def print_table(table: Table) -> None:
    """The table as a terminal shows it, on stdout."""
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, title=table.title, title_justify="left", title_style="bold")
    for i, heading in enumerate(table.headings):
        is_text = bool(table.all_rows) and isinstance(table.all_rows[0][i], str)
        shown.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
    for row in table.all_rows:
        shown.add_row(*(number(cell.value) if isinstance(cell, Cell) else cell for cell in row))
        published = [cell.published if isinstance(cell, Cell) else None for cell in row]
        if any(value is not None for value in published):
            # in a row of its own: side by side they need more than 80 columns
            shown.add_row(*_published_row(published), style="dim")
    console = Console()
    if not console.is_terminal:  # a file has no width to keep to
        console = Console(width=1000)
    console.print(shown)
    if table.note:
        console.print(table.note, style="dim", highlight=False)


def _published_row(values: Sequence[float | None]) -> list[str]:
    cells = ["" if value is None else number(value) for value in values]
    cells[next(i for i, cell in enumerate(cells) if cell) - 1] = "  the paper"
    return cells
