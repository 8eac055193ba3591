"""The scores of one detector, as a command prints them."""

from collections.abc import Mapping, Sequence

from wdrop.report.detection.rows import HEADINGS
from wdrop.report.tables import Cell, Table

_MEASURES = ("recall", "miou", "rmse", "std", "nll", "ece", "ws", "etl")


def scores_table(title: str, by_pictures: Mapping[str, Mapping[str, float]], note: str = "") -> Table:
    """A row for each kind of pictures (clean, blurred, ...): matched boxes and recall beside every score."""
    rows: list[Sequence[str | Cell]] = [
        [pictures, f"{scores['n_matched']:,.0f}", *(Cell(scores[name]) for name in _MEASURES)]
        for pictures, scores in by_pictures.items()
    ]
    return Table(title, ["pictures", "matched", *(HEADINGS[name] for name in _MEASURES)], rows, note)
