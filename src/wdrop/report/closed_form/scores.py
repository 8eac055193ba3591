"""What each way of asking scores, on the same networks and the same points."""

from collections.abc import Sequence

import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.closed_form.gaps import KINDS
from wdrop.report.closed_form.rows import BASE, WAYS, asked, datasets_of, in_table_order, on_tables
from wdrop.report.tables import Cell, Table

JUDGED = ("nll", "ece", "ws")


def common_datasets(rows: pd.DataFrame) -> list[str]:
    """The data sets that all trainings have: means over different ones do not compare."""
    parts = [set(some["dataset"]) for _, some in rows.groupby("training")]
    shared = set.intersection(*parts) if parts else set()
    return [name for name in datasets_of(rows) if name in shared]


def scores_table(rows: pd.DataFrame, kind: str = "iid") -> Table | None:
    """NLL, ECE, WS and RMSE for every training and way, mean over real tables."""
    some = on_tables(rows, kind)
    names = common_datasets(some)
    some = some[some["dataset"].isin(names)]
    out: list[Sequence[str | Cell]] = []
    for training in in_table_order(some["training"]):
        for way in WAYS:
            found = asked(some[some["training"] == training], way)
            if len(found):
                means = found.groupby("dataset")[[*JUDGED, "rmse"]].mean()
                cells = [means["nll"].mean(), means["nll"].median(), *(means[m].mean() for m in ("ece", "ws", "rmse"))]
                out.append([training, WAYS[way], *(Cell(float(cell)) for cell in cells), _floored(found)])
    headings = ["trained", "asked by", "NLL", "NLL, median", "ECE", "WS", "RMSE", "std 0"]
    note = (
        f"Means over the tables that all trainings have ({', '.join(names)}), in standardised units. std 0: "
        "share of the points where no std was told (below 1e-5, and counted as that), which ruins NLL and WS."
    )
    return Table(f"Scores of every way, {KINDS[kind]}", headings, out, note) if out else None


def scores_by_dataset_table(rows: pd.DataFrame) -> Table | None:
    """The same for each data set, toys too, random folds."""
    some = rows[rows["group"].isin(BASE) & (rows["split_kind"] == "iid")]
    out: list[Sequence[str | Cell]] = []
    for dataset in datasets_of(some):
        of_set = some[some["dataset"] == dataset]
        for training in in_table_order(of_set["training"]):
            for way in WAYS:
                found = asked(of_set[of_set["training"] == training], way)
                if len(found):
                    cells = [Cell(float(found[measure].mean())) for measure in (*JUDGED, "rmse")]
                    out.append([dataset, training, WAYS[way], *cells])
    headings = ["data set", "trained", "asked by", *(MEASURES[name].heading for name in (*JUDGED, "rmse"))]
    note = "Means over folds and seeds, in standardised units."
    return Table("Scores of every way, data set by data set", headings, out, note) if out else None


def _floored(rows: pd.DataFrame) -> str:
    share = 100 * float(rows["n_floored"].sum() / rows["n_judged"].sum()) if "n_floored" in rows else 0.0
    return f"{share:.1f} %" if share else ""
