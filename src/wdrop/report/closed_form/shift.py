"""Whether std still grows where the data end: folds under shift beside random ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import pandas as pd

from wdrop.report.closed_form.rows import WAYS, in_table_order, own_way
from wdrop.report.tables import Cell, Table


@final
@dataclass(frozen=True)
class Growth:
    """On one table: std and RMSE at folds under shift, over those at random folds."""

    dataset: str
    training: str
    way: str
    split: str
    kind: str
    std: float
    rmse: float


def growths(rows: pd.DataFrame) -> list[Growth]:
    """For each table, training, way and kind of shift that has random folds beside it; settings are the usual ones."""
    usual = rows[rows["setting"] == ""]
    keys = ["dataset", "training", "way"]
    means = usual.groupby([*keys, "split", "split_kind"], as_index=False)[["std_mean", "rmse"]].mean()
    random = means[means["split"] == "iid"][[*keys, "std_mean", "rmse"]]
    both = means[means["split"].isin(["label", "pca"])].merge(random, on=keys, suffixes=("", "_random"))
    return [
        Growth(
            str(row["dataset"]),
            str(row["training"]),
            str(row["way"]),
            str(row["split"]),
            str(row["split_kind"]),
            float(row["std_mean"] / row["std_mean_random"]),
            float(row["rmse"] / row["rmse_random"]),
        )
        for _, row in both.iterrows()
    ]


def shift_table(rows: pd.DataFrame) -> Table | None:
    """Each training asked its own way and by 10,000 draws: by how much std and error grow, median over tables."""
    found = growths(rows)
    out: list[Sequence[str | Cell]] = []
    for split in ("label", "pca"):
        for kind in ("inter", "extra"):
            some = [one for one in found if (one.split, one.kind) == (split, kind)]
            for training in in_table_order(one.training for one in some):
                for way in dict.fromkeys((own_way(training), "closed_form", "10000 draws")):
                    of_way = [one for one in some if (one.training, one.way) == (training, way)]
                    if of_way:
                        out.append([_where(split, kind), training, WAYS[way], *_growth_cells(of_way)])
    headings = ["shift", "trained", "asked by", "std ×", "RMSE ×", "std grows on", "as much as RMSE on"]
    note = (
        "Mean over the folds under shift over the mean over random folds, median over data sets; in standardised "
        "units. Where std grows less than the error, it says less of it than at random folds."
    )
    return Table("Std under shift, against random folds", headings, out, note) if out else None


def extrapolating(rows: pd.DataFrame, training: str, split: str) -> list[Growth]:
    """What a training, asked its own way, does beyond the ends of the data."""
    return [
        one
        for one in growths(rows)
        if (one.training, one.way, one.split, one.kind) == (training, own_way(training), split, "extra")
    ]


def _growth_cells(some: Sequence[Growth]) -> list[str | Cell]:
    std, rmse = (float(pd.Series([getattr(one, name) for one in some]).median()) for name in ("std", "rmse"))
    grows = sum(one.std > 1 for one in some)
    keeps_up = sum(one.std >= one.rmse for one in some)
    return [Cell(std), Cell(rmse), f"{grows} of {len(some)}", f"{keeps_up} of {len(some)}"]


def _where(split: str, kind: str) -> str:
    return f"{'PCA' if split == 'pca' else split}, {'extrapolation' if kind == 'extra' else 'interpolation'}"
