"""The detection sets in tables: what each is, where it lies, how many pictures and objects it has."""

from collections.abc import Iterable
from typing import Any, cast

from wdrop.detect.data import DETECTION_DATASETS, load_detection
from wdrop.detect.data.facts import FACTS, Facts
from wdrop.detect.data.reading.folders import places
from wdrop.detect.data.source import SPLITS, DetectionSet, FileSource, SplitName


def list_rows() -> list[dict[str, str]]:
    """A row a data set: what it is, its size in the paper, and the folder it was found in or would be looked for in."""
    return [_row(name, FACTS[name]) for name in DETECTION_DATASETS]


def _row(name: str, facts: Facts) -> dict[str, str]:
    return {
        "data set": name,
        "kind": facts.kind,
        "place": facts.place,
        "image size": facts.image_size,
        "crop": _crop(name),
        "split": facts.split,
        "licence": facts.licence,
        "home": facts.home,
        "in the paper": "; ".join(
            f"{split} {n:,} pictures, {m:,} objects" for split, (n, m) in facts.published.items()
        ),
        "here": _where(name),
        "note": facts.note,
    }


def _crop(name: str) -> str:
    crop = getattr(DETECTION_DATASETS[name], "crop", None)
    return "none" if crop is None else f"in x, the {crop.where} in the shape of the network's input"


def _where(name: str) -> str:
    if FACTS[name].kind == "yours":
        return "name its folder"
    if name == "rendered":
        return "built in"
    folders = list(places(name))
    return next((str(folder) for folder in folders if folder.is_dir()), f"not found; goes into {folders[-1]}")


def counted_rows(names: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """The paper's statistics table, counted here: pictures with objects and objects a split, the published beside.

    Reads every label and every picture's header, so a large set takes minutes. Wrong entries are skipped, and counted.
    None: what is not here, or not in the paper. A split that is neither has no row.
    """
    in_files = [name for name, source in DETECTION_DATASETS.items() if isinstance(source, FileSource)]
    rows = (_counted(name, cast(SplitName, split)) for name in names or in_files for split in SPLITS)
    return [row for row in rows if row is not None]


def _counted(name: str, split: SplitName) -> dict[str, Any] | None:
    try:
        found = load_detection(name, split, bad="skip")
    except FileNotFoundError:
        found = None
    if found is None and split not in FACTS[name].published:
        return None
    n_pictures, n_objects = FACTS[name].published.get(split, (None, None))
    return {
        "data set": name if found is None else found.name,
        "split": split,
        "pictures": None if found is None else len(found),
        "objects": None if found is None else found.n_objects,
        "skipped": len(found.tally.skipped) if isinstance(found, DetectionSet) else None,
        "pictures in the paper": n_pictures,
        "objects in the paper": n_objects,
    }
