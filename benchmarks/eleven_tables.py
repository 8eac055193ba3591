"""`Regressor` with its defaults on the paper's eleven smaller tables, raw and with calibrate="cross".

What the study `calibration` decided, measured once more by the door through which users come: the estimator's own
budget of steps, its own inner folds. Goes on from what its csv file holds. Half an hour on one core.
"""

from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path

import pandas as pd
import torch
from benchmarks._results import ROOT, keep, parser

from wdrop import Regressor, evaluate
from wdrop._random import generator_for
from wdrop.data.scaling import Scaler
from wdrop.data.splits import iid_folds
from wdrop.data.uci import load_uci
from wdrop.report.calibrations.aims import AIMS, best_published
from wdrop.report.calibrations.rows import TABLES
from wdrop.report.tables import Cell, Table

CALIBRATIONS = ("raw", "cross")
MEASURED = (*AIMS, "coverage")
FOLDS = (0, 5, 9)


def scores(table: str, method: str, calibrate: str) -> Iterator[dict[str, object]]:
    """The measures on each of three random folds, x and y in units of the training rows."""
    points = load_uci(table)
    for split in iid_folds(points, folds=FOLDS, generator=generator_for(0, table)):
        train, test = points[split.train], points[split.test]
        scaler = Scaler.of(train)
        train, test = scaler.points(train), scaler.points(test)
        model = Regressor(method, calibrate=None if calibrate == "raw" else calibrate, random_state=0)
        mean, std = model.fit(train.x.numpy(), train.y[:, 0].numpy()).predict(test.x.numpy(), return_std=True)
        measured = evaluate(mean, std, test.y[:, 0].numpy())
        yield {"table": table, "method": method, "calibrate": calibrate, "fold": split.fold, **measured}


def summary(records: pd.DataFrame) -> Table:
    """Means over tables of the means over folds, beside what was aimed at and what was published.

    Of a method that was measured on some tables only, nothing: another mean would stand beside that of all.
    """
    rows: list[Sequence[str | Cell]] = []
    for (method, calibrate), some in records.groupby(["method", "calibrate"], sort=False):
        by_table = some.groupby("table")[list(MEASURED)].mean()
        if len(by_table) == len(TABLES):
            rows.append([f"`{method}`", str(calibrate), *map(Cell, by_table.mean())])
    best = best_published()
    beside = {"aim": AIMS, "best published, each measure by itself": {**best, "ece": best["ece_rounded"]}}
    for who, values in beside.items():
        rows.append([who, "", *(Cell(values.get(name, nan)) for name in MEASURED)])
    note = "`Regressor` with its defaults, random folds 0, 5 and 9, standardised units, mean over tables, one seed."
    return Table("Eleven tables, by the estimator", ["method", "calibrate", *MEASURED], rows, note)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.set_defaults(out=ROOT / "results" / "calibration")
    options.add_argument("--method", nargs="+", default=["w_dropout_closed", "w_dropout"])
    chosen = options.parse_args(arguments)
    torch.set_num_threads(1)
    file: Path = chosen.out / "regressor.csv"
    records = pd.read_csv(file) if file.exists() else pd.DataFrame(columns=["table", "method", "calibrate"])
    for method in chosen.method:
        for table in TABLES:
            for calibrate in CALIBRATIONS:
                there = records["table"].eq(table) & records["method"].eq(method) & records["calibrate"].eq(calibrate)
                if not there.any():
                    records = pd.concat([records, pd.DataFrame(scores(table, method, calibrate))], ignore_index=True)
                    records.to_csv(file, index=False)
                    print(method, table, calibrate, flush=True)
    keep("regressor", [summary(records)], chosen.out)


if __name__ == "__main__":
    main()
