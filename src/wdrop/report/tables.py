import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isnan, nan
from typing import final

from wdrop.report.latex import latex_table


@final
@dataclass(frozen=True)
class Cell:
    """A number, with the published one beside it where there is one."""

    value: float
    published: float | None = None

    def __str__(self) -> str:
        return number(self.value) if self.published is None else f"{number(self.value)} ({number(self.published)})"


@final
@dataclass(frozen=True)
class Table:
    """Rows under headings, for every output alike; a published value stands in brackets behind ours.

    footer  what the rows are held against: it stays below them however they are sorted, and competes with none
    lowest  headings of the columns whose lowest number is set in bold
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    note: str = ""
    footer: Sequence[Sequence[str | Cell]] = ()
    lowest: Sequence[str] = ()

    @property
    def all_rows(self) -> list[Sequence[str | Cell]]:
        """The rows, and the footer below them."""
        return [*self.rows, *self.footer]

    def cells(self) -> Iterable[list[str]]:
        """All rows as text."""
        return ([str(cell) for cell in row] for row in self.all_rows)

    def bold(self) -> set[tuple[int, int]]:
        """Row and column of the lowest numbers, of all that are printed alike."""
        found = set()
        for column in (i for i, heading in enumerate(self.headings) if heading in self.lowest):
            cells = [(i, cell.value) for i, row in enumerate(self.rows) if isinstance(cell := row[column], Cell)]
            best = number(min((value for _, value in cells if not isnan(value)), default=nan))
            found |= {(i, column) for i, value in cells if not isnan(value) and number(value) == best}
        return found

    def markdown(self) -> str:
        """The table as Markdown, with its title and note."""
        lines = [_markdown_row(self.headings), f"|{' --- |' * len(self.headings)}"]
        bold = self.bold()
        lines += [
            _markdown_row([_in_stars(cell) if (i, j) in bold else str(cell) for j, cell in enumerate(row)])
            for i, row in enumerate(self.all_rows)
        ]
        return "\n".join([f"**{self.title}**", "", *lines, "", self.note, ""])

    def latex(self) -> str:
        """The table as LaTeX (booktabs, longtable), with its title and note as the caption."""
        return latex_table(self.title, self.headings, list(self.cells()), self.note, self.bold())

    def csv(self) -> str:
        """The numbers for other programs, six digits each; published ones in a column of their own."""
        beside = [any(_plain_published(row[i]) for row in self.all_rows) for i in range(len(self.headings))]
        out = StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(_spread(self.headings, [f"{heading} (published)" for heading in self.headings], beside))
        for row in self.all_rows:
            writer.writerow(_spread([_plain(cell) for cell in row], [_plain_published(cell) for cell in row], beside))
        return out.getvalue()


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _in_stars(cell: str | Cell) -> str:
    """Ours in bold, not what was published beside it."""
    ours, *beside = str(cell).split(" ", 1)
    return " ".join([f"**{ours}**", *beside])


def _spread(ours: Sequence[str], published: Sequence[str], beside: Sequence[bool]) -> list[str]:
    return [text for i, mine in enumerate(ours) for text in ([mine, published[i]] if beside[i] else [mine])]


def _plain(cell: str | Cell) -> str:
    return cell if isinstance(cell, str) else _digits(cell.value)


def _plain_published(cell: str | Cell) -> str:
    return "" if isinstance(cell, str) or cell.published is None else _digits(cell.published)


def _digits(value: float) -> str:
    return "" if isnan(value) else f"{value:.6g}"


def number(value: float) -> str:
    """Three decimals, fewer digits where the number is large."""
    if isnan(value):
        return "–"
    if abs(value) >= 1e4:
        return f"{value:.2e}"
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.1f}"
