"""Every number that the Wasserstein dropout paper prints, to stand beside ours."""

import csv
from functools import cache
from importlib.resources import files

_NAME_IN_PAPER = {
    "w_dropout": "w-drop",
    "mc_dropout": "mc",
    "mc_dropout_last_layer": "mc-ll",
    "concrete_dropout": "con-mc",
    "deep_ensemble": "de",
    "pu_evidential": "pu-ev",
    "pu_ensemble": "pu-de",
    "pu_mc": "pu-mc",
}


def published(table: str, split: str, dataset: str, method: str, measure: str) -> float | None:
    """The paper's value, None where it prints none; the method by our name."""
    return _values().get((table, split, dataset, _NAME_IN_PAPER.get(method, method), measure))


@cache
def _values() -> dict[tuple[str, ...], float]:
    text = files("wdrop.report").joinpath("published.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {
        (row["table"], row["split"], row["dataset"], row["method"], row["measure"]): float(row["value"]) for row in rows
    }
