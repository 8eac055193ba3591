"""Where the paper's tables are; reads none of them."""

from pathlib import Path

from wdrop._checks import known
from wdrop.data.catalogue import CATALOGUE, TableFacts
from wdrop.data.places import VARIABLE, find, folders


def find_table(name: str) -> Path | None:
    """The file of the table, if it is here."""
    known("table", name, CATALOGUE)
    return find(CATALOGUE[name].file_names)


def comes_with_scikit_learn(facts: TableFacts) -> bool:
    """Whether the table needs no file."""
    return facts.name == "diabetes"


def missing(facts: TableFacts) -> str:
    """What to do for a table that is not here."""
    where = " or ".join(str(folder) for folder in folders())
    subset = find([f"{facts.name}-subset7000.csv.gz"])
    only = f" (there is {subset.name}, which is a part of it and is not taken for it)" if subset else ""
    return (
        f"table {facts.name!r} is not here{only}: expected {facts.file_names[0]} in {where}; put it there, set "
        f"{VARIABLE} to its folder, or run: wdrop data fetch {facts.name}"
    )
