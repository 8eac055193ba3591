"""The detection sets in tables: what each is, where it lies, how many pictures and objects it has."""

from collections.abc import Iterable
from typing import Any, cast

from wdrop.detect.data import DETECTION_DATASETS, load_detection
from wdrop.detect.data.facts import FACTS, Facts
from wdrop.detect.data.reading.folders import places
from wdrop.detect.data.source import SPLITS, SplitName


def list_rows() -> list[dict[str, str]]:
    """A row a data set: what it is, its size in the paper, and the folder it was found in or would be looked for in."""
    return [_row(name, FACTS[name]) for name in DETECTION_DATASETS]


def _row(name: str, facts: Facts) -> dict[str, str]:
    return {
        "data set": name,
        "kind": facts.kind,
        "place": facts.place,
        "split": facts.split,
        "licence": facts.licence,
        "home": facts.home,
        "in the paper": ", ".join(f"{split} {n:,} / {m:,}" for split, (n, m) in facts.published.items()) or "–",
        "here": _where(name),
        "note": facts.note,
    }


def _where(name: str) -> str:
    if FACTS[name].kind == "yours":
        return "name its folder"
    if name == "rendered":
        return "built in"
    folders = list(places(name))
    return next((str(folder) for folder in folders if folder.is_dir()), f"not found; goes into {folders[-1]}")


def counted_rows(names: Iterable[str] | None = None, **options: Any) -> list[dict[str, str]]:
    """The paper's statistics table, counted here: pictures with objects and objects a split, the published beside.

    Reads every label and every picture's header, so a large set takes minutes. A split that is not here has no row.
    """
    rows = []
    for name in DETECTION_DATASETS if names is None else names:
        for split in SPLITS:
            row = _counted(name, cast(SplitName, split), options)
            if row is not None:
                rows.append(row)
    return rows


def _counted(name: str, split: SplitName, options: dict[str, Any]) -> dict[str, str] | None:
    try:
        found = load_detection(name, split, **options)
    except FileNotFoundError:
        return None
    n_pictures, n_objects = FACTS[name].published.get(split, (None, None))
    return {
        "data set": found.name,
        "split": split,
        "pictures": f"{len(found):,}",
        "objects": f"{found.n_objects:,}",
        "pictures in the paper": "–" if n_pictures is None else f"{n_pictures:,}",
        "objects in the paper": "–" if n_objects is None else f"{n_objects:,}",
    }
