"""What `wdrop data` tells of the tables."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from wdrop._checks import known
from wdrop.data.catalogue import CATALOGUE, TableFacts
from wdrop.data.locate import comes_with_scikit_learn, find_table, missing


def overview() -> list[dict[str, Any]]:
    """For each table what is known of it, its file if it is here (`path`), and in words `where` to have it from."""
    return [_told(facts, find_table(name)) for name, facts in CATALOGUE.items()]


def table_path(name: str) -> Path:
    """The file of the table; an error says what to do if there is none."""
    known("table", name, CATALOGUE)
    path = find_table(name)
    if path is not None:
        return path
    if comes_with_scikit_learn(CATALOGUE[name]):
        raise ValueError(f"{name} has no file here and needs none: it comes with scikit-learn")
    raise FileNotFoundError(missing(CATALOGUE[name]))


def _told(facts: TableFacts, path: Path | None) -> dict[str, Any]:
    if path is not None:
        where = str(path)
    elif comes_with_scikit_learn(facts):
        where = "comes with scikit-learn"
    else:
        where = f"not here; wdrop data fetch {facts.name}"
    return {**asdict(facts), "path": None if path is None else str(path), "where": where}
