"""What drop rate, depth and width do to the gap."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd

from wdrop.report.benchmark.scores import TOYS
from wdrop.report.closed_form.gaps import NOTE, typical_gap
from wdrop.report.closed_form.rows import BASE, LAST_LAYER, TRUTH, asked, in_table_order
from wdrop.report.tables import Cell, Table

SETTINGS: Mapping[str, str] = MappingProxyType({"p": "drop rate p", "depth": "hidden layers", "width": "width"})
_USUAL = MappingProxyType({"p": 0.1, "depth": 2.0, "width": 100.0})
PLACES = ("tables", "toys")


def with_usual(rows: pd.DataFrame, setting: str, place: str) -> pd.DataFrame:
    """The rows that vary the setting, on tables or on toys, and the usual ones on the same data sets and folds."""
    of_place = rows[rows["dataset"].isin(TOYS) == (place == "toys")]
    varied = of_place[of_place["setting"] == setting]
    cells = set(zip(varied["dataset"], varied["split"], varied["fold"], strict=True))
    usual = of_place[of_place["group"].isin(BASE)]
    beside = [cell in cells for cell in zip(usual["dataset"], usual["split"], usual["fold"], strict=True)]
    usual = usual[pd.Series(beside, index=usual.index, dtype=bool) & usual["training"].isin(set(varied["training"]))]
    usual = usual.assign(value=[_usual_value(setting, training, place) for training in usual["training"]])
    return pd.concat([varied, usual]) if len(usual) else varied


def _usual_value(setting: str, training: str, place: str) -> float:
    if setting == "depth" and training == LAST_LAYER:
        return 3.0  # two are too few for it
    return 50.0 if setting == "width" and place == "toys" else _USUAL[setting]


def settings_table(rows: pd.DataFrame, setting: str) -> Table | None:
    """A row per value and training: gaps of the ways that draw nothing, and NLL told and drawn."""
    out: list[Sequence[str | Cell]] = []
    for place in PLACES:
        some = with_usual(rows, setting, place)
        for value in sorted(set(some["value"])):
            for training in in_table_order(some["training"]):
                found = some[(some["value"] == value) & (some["training"] == training)]
                if len(found):
                    names = ", ".join(dict.fromkeys(found["dataset"]))
                    out.append([names, Cell(value), training, *_cells(found)])
    headings = [
        "data", SETTINGS[setting], "trained", "closed form: gap %, median", "95 %", "linearised: median", "95 %",
        "diagonal: median", "95 %", "NLL, closed form", "NLL, drawn",
    ]  # fmt: skip
    note = f"{NOTE} NLL is the median over data sets of the mean over folds."
    return Table(f"Gaps over {SETTINGS[setting]}", headings, out, note) if out else None


def _cells(rows: pd.DataFrame) -> list[Cell]:
    gaps = [gap for way in ("closed_form", "linearised", "diagonal") for gap in typical_gap(asked(rows, way))]
    scores = [float(asked(rows, way).groupby("dataset")["nll"].mean().median()) for way in ("closed_form", TRUTH)]
    return [Cell(value) for value in (*gaps, *scores)]
