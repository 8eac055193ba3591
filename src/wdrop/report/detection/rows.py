"""Which records of detectors a table is about, and what it calls them."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from wdrop.detect.scores.corruptions import CLEAN as CLEAN
from wdrop.detect.scores.evaluation import ALL as ALL
from wdrop.detect.scores.evaluation import UNCERTAINTY as UNCERTAINTY
from wdrop.report.figures import METHOD_COLOURS
from wdrop.report.published import published
from wdrop.report.tables import Cell

HEADINGS = MappingProxyType(
    {
        "n_matched": "matched", "recall": "recall", "miou": "mIoU", "rmse": "RMSE", "std": "std", "nll": "NLL",
        "ece": "ECE", "ws": "WS", "etl": "ETL",
    }
)  # fmt: skip
PROTOCOLS = MappingProxyType(
    {
        "samples-kmeans": "draws, their boxes clustered by k-means, as published",
        "samples-hdbscan": "draws, their boxes clustered by HDBSCAN",
        "closed_form": "one pass, exact std of each box",
    }
)
SHORT = MappingProxyType(
    {"samples-kmeans": "by draws", "samples-hdbscan": "by draws and HDBSCAN", "closed_form": "in one pass"}
)
PUBLISHED_PROTOCOL = "samples-kmeans"
_LABELS = {"mc": "MC", "wasserstein": "W", "closed_form": "W closed form"}
_COLOURS = {"mc": "mc_dropout", "wasserstein": "w_dropout", "closed_form": "w_dropout_closed"}
_STYLES = {"mc": ("-", "o"), "wasserstein": ("--", "s"), "closed_form": ("-.", "^")}
_IN_PAPER = {"mc": "mc-sqzdet", "wasserstein": "w-sqzdet"}


class Contestant(NamedTuple):
    """A loss, and what sets it apart from its namesakes."""

    method: str
    variant: str = ""

    @property
    def label(self) -> str:
        return _LABELS.get(self.method, self.method) + (f" {self.variant}" if self.variant else "")

    @property
    def colour(self) -> str:
        return METHOD_COLOURS[_COLOURS.get(self.method, "pu")]

    @property
    def style(self) -> tuple[str, str]:
        """Line and marker, since colours alone do not tell all readers who is who."""
        return (":", "D") if self.variant else _STYLES.get(self.method, ("-", "v"))

    def published(self, split: str, dataset: str, measure: str) -> float | None:
        """The paper's value on the whole data set, where it has one."""
        if self.variant or self.method not in _IN_PAPER:
            return None
        return published("detection", split, dataset.partition("-")[0], _IN_PAPER[self.method], measure)


def contestants(rows: pd.DataFrame) -> list[Contestant]:
    """Who is in these records, in their order."""
    pairs = zip(rows["method"], rows["variant"].fillna(""), strict=True)
    return [Contestant(str(method), str(variant)) for method, variant in dict.fromkeys(pairs)]


def of(rows: pd.DataFrame, contestant: Contestant) -> pd.DataFrame:
    """The contestant's records."""
    return rows[(rows["method"] == contestant.method) & (rows["variant"].fillna("") == contestant.variant)]


def judged(
    records: pd.DataFrame,
    *,
    protocol: str,
    part: str = "test",
    corruption: str | None = CLEAN,
    coordinate: str | None = ALL,
) -> pd.DataFrame:
    """The scores of trained detectors by this protocol on this part; None takes all corruptions or coordinates."""
    rows = records[(records["status"] == "done") & (records["protocol"] == protocol) & (records["part"] == part)]
    if corruption is not None:
        rows = rows[rows["corruption"] == corruption]
    return rows if coordinate is None else rows[rows["coordinate"] == coordinate]


def in_data(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Those trained and tested on the data set of that name."""
    return rows[(rows["dataset"] == dataset) & (rows["tested_on"] == dataset)]


def mean(rows: pd.DataFrame, measure: str) -> float:
    """The mean over runs; NaN without any."""
    return float(rows[measure].mean()) if len(rows) and measure in rows else float("nan")


def cell(rows: pd.DataFrame, measure: str, published_value: float | None = None) -> Cell | str:
    """The mean over runs as tables print it; boxes are counted whole."""
    if measure == "n_matched":
        return f"{mean(rows, measure):,.0f}" if len(rows) else "–"
    return Cell(mean(rows, measure), published_value)


def seeds(rows: pd.DataFrame) -> str:
    """How many runs are behind a table, as its note tells it."""
    counts = {one.label: of(rows, one)["seed"].nunique() for one in contestants(rows)}
    return "Mean over seeds: " + ", ".join(f"{label} {n}" for label, n in counts.items()) + "."


def datasets(rows: pd.DataFrame) -> Sequence[str]:
    """The data sets that detectors were trained on, in their order."""
    return list(dict.fromkeys(str(name) for name in rows["dataset"]))
