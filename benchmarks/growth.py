"""How time and memory grow with points, width, networks, draws and targets: a table and a figure with exponents.

Every point is measured in a process of its own, on one thread, in processor time. 2 x 100 units, 8 features, batch 100
where nothing else is said; three hidden layers where dropout stands before the last one only. Writes growth.csv,
growth.md, growth.png and growth.svg; `--again` draws them anew out of growth.csv.
"""

import csv
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks._growth_figure import figure
from benchmarks._growth_report import curves, table
from benchmarks._results import ROOT, SPEED, keep, parser

from wdrop.report.figures import png, svg

ALL = ("w_dropout", "w_dropout_closed", "w_dropout_last_layer")
HALF_DECADES = (1_000, 3_200, 10_000, 32_000, 100_000, 320_000, 1_000_000)

AXES: Mapping[str, tuple[Sequence[str], Sequence[int]]] = {
    "points": (ALL, HALF_DECADES),
    "width": (ALL, (50, 100, 200, 400, 800)),
    "networks": (ALL, (1, 3, 10, 30, 100)),
    "draws": (ALL[:1], (1, 2, 5, 10, 20, 50)),  # one draw is MC dropout
    "targets": (ALL, (1, 2, 5, 10, 20, 50)),
}

BOUNDS: Mapping[str, Mapping[str, float]] = {
    "points": {"step": 0, "epoch": 1, "fit_mib": 1, "predict": 1, "predict_mib": 1},
    "width": {"step": 2, "fit_mib": 2, "predict": 2, "predict_mib": 2},  # a prediction squares the weights
    "networks": {"step": 1, "fit_mib": 1},
    "draws": {"step": 1, "fit_mib": 1},
    "targets": {"step": 1, "fit_mib": 1, "predict": 1, "predict_mib": 1},
}
"""The exponent that each cost has to have, at most: what the arithmetic asks for when nothing is wasted."""


def settings(largest: float) -> Iterator[dict[str, str | int]]:
    """The points to measure, those above `largest` left out."""
    for axis, (methods, values) in AXES.items():
        for method in methods:
            for value in values:
                if value <= largest:
                    setting: dict[str, str | int] = {"axis": axis, "method": method, axis: value}
                    yield setting | ({"rows": value} if axis == "points" else {})


def measured(setting: Mapping[str, str | int]) -> dict[str, str | float]:
    """The setting with its costs, measured in a process of its own."""
    asked = {name: value for name, value in setting.items() if name != "axis"}
    command = [sys.executable, "-m", "benchmarks._growth_point", json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise RuntimeError(f"measuring {asked} failed:\n{done.stderr}")
    return {**setting, **json.loads(done.stdout)}


def report(rows: Sequence[Mapping[str, str | float]], out: Path) -> None:
    """Write table and figure."""
    axes = {axis: bounds for axis, bounds in BOUNDS.items() if any(row["axis"] == axis for row in rows)}
    found = curves(rows, axes)
    keep("growth", [table(found)], out)
    drawn = figure(found)
    (out / "growth.png").write_bytes(png(drawn))
    (out / "growth.svg").write_bytes(svg(drawn))
    if out == SPEED:
        (ROOT / "docs" / "images" / "growth.png").write_bytes(png(drawn))


def write_rows(rows: Sequence[Mapping[str, str | float]], path: Path) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_rows(path: Path) -> list[dict[str, str | float]]:
    with path.open(newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.add_argument("--largest", type=float, default=1e6, help="leave out what is larger, for a quick look")
    options.add_argument("--again", action="store_true", help="draw anew out of growth.csv, measure nothing")
    chosen = options.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    if chosen.again:
        rows = read_rows(chosen.out / "growth.csv")
    else:
        rows, start = [], time.perf_counter()
        for setting in settings(chosen.largest):
            rows.append(measured(setting))
            write_rows(rows, chosen.out / "growth.csv")
            print(f"{time.perf_counter() - start:5.0f} s  {setting}", file=sys.stderr)
    report(rows, chosen.out)


if __name__ == "__main__":
    main()
