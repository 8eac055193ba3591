"""One self-contained HTML page out of text, tables and pictures."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import final

from jinja2 import Environment, PackageLoader, StrictUndefined

from wdrop._version import __version__
from wdrop.report.figures import data_uri
from wdrop.report.scatter import Scatter
from wdrop.report.tables import Cell, Table, number


@final
@dataclass(frozen=True)
class Picture:
    """A PNG or JPEG with its caption, which also stands for it where it cannot be seen."""

    content: bytes
    caption: str

    @property
    def uri(self) -> str:
        return data_uri(self.content)


@final
@dataclass(frozen=True)
class Section:
    """A heading with text, then tables, pictures, scatter plots and links (text to place), each optional."""

    heading: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    scatters: Sequence[Scatter] = ()
    links: Mapping[str, str] = field(default_factory=dict)


def page(title: str, lead: str, sections: Sequence[Section], command: str) -> str:
    """The page as HTML: no file but itself, no network."""
    environment = Environment(
        loader=PackageLoader("wdrop.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.tests["cell"] = lambda value: isinstance(value, Cell)
    template = environment.get_template("page.html")
    return template.render(title=title, lead=lead, sections=sections, command=command, version=__version__)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.chmod(file.name, 0o644)  # temporary files are born private
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
