"""One self-contained HTML page out of text, tables and pictures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import final

from jinja2 import Environment, PackageLoader, StrictUndefined

from wdrop import _files
from wdrop._version import __version__
from wdrop.report.figures import data_uri
from wdrop.report.scatter import Scatter
from wdrop.report.tables import Cell, Table, number

_DIGITS = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_NUMBER = re.compile(rf"({_DIGITS})(?: ?%| [(\[].*[)\]])?|\[({_DIGITS}), {_DIGITS}\]")


@final
@dataclass(frozen=True)
class Picture:
    """A PNG or JPEG with its caption, which also stands for it where it cannot be seen.

    larger  where the figure lies that a click opens, seen from the page; nowhere by default
    """

    content: bytes
    caption: str
    larger: str = ""

    @property
    def uri(self) -> str:
        return data_uri(self.content)


@final
@dataclass(frozen=True)
class Section:
    """A heading with text, then tables, pictures, scatter plots and links (text to place), each optional.

    folded  all but heading and text is hidden until a reader asks for it
    files   where the tables lie as csv and LaTeX, seen from the page and without suffix; in the order of the tables
    """

    heading: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    scatters: Sequence[Scatter] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    folded: bool = False
    files: Sequence[str] = ()


def page(title: str, lead: str, sections: Sequence[Section], command: str) -> str:
    """The page as HTML: no file but itself, no network. The lead may have several lines."""
    environment = Environment(
        loader=PackageLoader("wdrop.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["numeric_columns"] = numeric_columns
    environment.filters["leading_number"] = leading_number
    environment.tests["cell"] = lambda value: isinstance(value, Cell)
    template = environment.get_template("page.html")
    return template.render(title=title, lead=lead, sections=sections, command=command, version=__version__)


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers alone, as `Cell`s or as text such as "2,286", "0.43 (0.39–0.48)" or "[0.3, 0.5]"."""
    columns = [[row[i] for row in table.all_rows if not _is_absent(row[i])] for i in range(len(table.headings))]
    return [bool(column) and all(leading_number(entry) is not None for entry in column) for column in columns]


def leading_number(entry: str | Cell) -> float | None:
    """By what an entry is sorted: an interval by its lower end, what is absent by NaN; None for words."""
    if isinstance(entry, Cell):
        return entry.value
    found = _NUMBER.fullmatch(entry.strip())
    if found is None:
        return nan if _is_absent(entry) else None
    return float((found[1] or found[2]).replace(",", ""))


def _is_absent(entry: str | Cell) -> bool:
    return isinstance(entry, str) and entry.strip() in ("", "–")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _files.write_whole(path, content.encode() if isinstance(content, str) else content)
