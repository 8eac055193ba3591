"""What reports are put together from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import pandas as pd
from matplotlib.figure import Figure

from wdrop.report.scatter import Scatter
from wdrop.report.tables import Table
from wdrop.study.plan import Study
from wdrop.study.store import Store

PRECISION = ".6g"
"""The digits of a number in `records.csv`."""


@final
@dataclass(frozen=True)
class Drawn:
    """A figure under the name of its file; one made of photographs becomes a JPEG, a tenth as large as PNG and SVG."""

    name: str
    figure: Figure
    caption: str
    photographs: bool = False


@final
@dataclass(frozen=True)
class Part:
    """A section of a report: text, then tables and figures under the names of their files, scatter plots and links.

    folded  all but the text is hidden until it is asked for
    """

    heading: str
    text: Sequence[str] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    figures: Sequence[Drawn] = ()
    scatters: Sequence[Scatter] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    folded: bool = False


@final
@dataclass(frozen=True)
class Told:
    """All of a report but its title."""

    lead: str
    parts: Sequence[Part]


def records(study: Study, store: Store) -> pd.DataFrame:
    """The study's records as one table: a row per run, fold and part.

    With the digits that `records.csv` has, so that the same report can be made out of that file.
    """
    rows = store.rows(study.runs)
    if not rows:
        raise ValueError(f"study {study.name!r} has no records yet; first: wdrop study run {study.source}")
    table = pd.DataFrame(rows).drop(columns="traceback", errors="ignore")
    numbers = table.select_dtypes("float").columns
    table[numbers] = table[numbers].map(lambda value: float(f"{value:{PRECISION}}"))
    return table
