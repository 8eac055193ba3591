from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from wdrop.report.tables import Table


def print_table(table: Table) -> None:
    """The table as a terminal shows it, on stdout."""
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, title=table.title, title_justify="left", title_style="bold")
    for i, heading in enumerate(table.headings):
        is_text = bool(table.rows) and isinstance(table.rows[0][i], str)
        shown.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
    for row in table.cells():
        shown.add_row(*row)
    console = Console()
    if not console.is_terminal:  # a file has no width to keep to
        console = Console(width=1000)
    console.print(shown)
    if table.note:
        console.print(table.note, style="dim", highlight=False)
