from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import final


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
    """Rows under headings, for every output alike; a published value stands in brackets behind ours."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    note: str = ""

    def cells(self) -> Iterable[list[str]]:
        """The rows as text."""
        return ([str(cell) for cell in row] for row in self.rows)

    def markdown(self) -> str:
        """The table as Markdown, with its title and note."""
        lines = [f"| {' | '.join(self.headings)} |", f"|{' --- |' * len(self.headings)}"]
        lines += [f"| {' | '.join(row)} |" for row in self.cells()]
        return "\n".join([f"**{self.title}**", "", *lines, "", self.note, ""])


def number(value: float) -> str:
    """Three decimals, fewer digits where the number is large."""
    if isnan(value):
        return "–"
    if abs(value) >= 1e4:
        return f"{value:.2e}"
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.1f}"
