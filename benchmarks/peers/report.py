"""Tables, figure and page out of the records alone; runs nothing.

python -m benchmarks.peers.report [FOLDER]
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from benchmarks.peers import records
from benchmarks.peers.figure import speed_figure
from benchmarks.peers.problems import PROBLEMS
from benchmarks.peers.ratios import OURS, Ratio, other_ratios, speed_ratios

from wdrop.report.figures import png, svg
from wdrop.report.tables import Table

FOLDER = Path(__file__).parents[2] / "results" / "peers"

_EXTRAPOLATED = "~ : measured on fewer epochs and extrapolated to all 150; such a model is not asked for its quality."
_SETTING = "150 epochs, batch 100, dropout 0.1, Adam 1e-3, one thread; predict is 50 draws on 10,000 points"


def write(folder: Path) -> list[Path]:
    """Write all that the records tell into the folder; the files come back."""
    versions = json.loads((folder / "versions.json").read_text())
    table = folder / "records.csv"
    rows = records.read(table) if table.exists() else pd.DataFrame(columns=list(records.COLUMNS))
    middle = records.medians(rows)
    written = [folder / "medians.csv"]
    middle.to_csv(written[0], index=False, float_format="%.6g", lineterminator="\n")
    tables = {
        "ratios": ratio_table([*speed_ratios(middle), *other_ratios(middle, versions["contenders"])]),
        "mc_dropout": mc_dropout_table(middle),
        "methods": method_table(middle),
        "installed": installed_table(versions["contenders"]),
    }
    for name, content in tables.items():
        written.append(folder / f"{name}.csv")
        written[-1].write_text(content.csv(), encoding="utf-8")
    figure = speed_figure(middle)
    for name, picture in (("speed.svg", svg(figure)), ("speed.png", png(figure))):
        written.append(folder / name)
        written[-1].write_bytes(picture)
    written.append(folder / "README.md")
    written[-1].write_text(page(tables.values(), versions["machine"], failures(rows)), encoding="utf-8")
    return written


def page(tables: Iterable[Table], machine: Mapping[str, Any], failed: Iterable[str]) -> str:
    """The README of the results: how they came about, then all tables."""
    lines = [
        "# Side by side with what people use today",
        "",
        f"Measured on {machine['date']}: {machine['processor']}, {machine['cores']} cores of which one is used, "
        f"{machine['system']}, Python {machine['python']}. Each contender runs in an environment of its own, all in "
        "turns, each job in a fresh process; times are processor time of one thread. What libraries load when first "
        "used is not in the times (it is `first_use_seconds` in `records.csv`). Quality is computed for all alike, by "
        "`wdrop.measures`.",
        "",
        "Measure again, which needs a network for pip and a quiet machine:",
        "",
        "    rm -f results/peers/records.csv && make bench-peers",
        "",
        "`versions.json` names every package that was installed, `medians.csv` has all numbers in full.",
        "",
        "![Seconds to fit and to predict](speed.svg)",
        "",
    ]
    lines += [table.markdown() for table in tables]
    trouble = [f"- {line}" for line in failed]
    return "\n".join(lines + (["**What failed**", "", *trouble, ""] if trouble else []))


def failures(rows: pd.DataFrame) -> list[str]:
    """A line for each job that failed, with its reason."""
    bad = rows[rows["error"] != ""]
    return [f"{r.contender}, {r.method}, {r.problem}, 2x{r.width}: {r.error}" for r in bad.itertuples()]


def ratio_table(ratios: Iterable[Ratio]) -> Table:
    lines = [
        [one.statement, one.against, format(one.value, ".2g" if one.value < 10 else ".0f"), _asked(one), one.verdict]
        for one in ratios
    ]  # fmt: skip
    note = (
        "Peers are libraries; `plain_pytorch` is a user's own loop. The fastest peer is chosen for each line. Closed "
        "form and last layer are W-dropout's predictions without draws, against the fastest peer's 50 draws of MC "
        "dropout."
    )
    return Table("How many times faster", ["", "against", "times", "asked for", ""], lines, note)


def _asked(ratio: Ratio) -> str:
    if ratio.asked is None:
        return ""
    return f"{'at most' if ratio.at_most else 'at least'} {ratio.asked:g}"


def mc_dropout_table(medians: pd.DataFrame) -> Table:
    rows = medians[medians["method"] == "mc_dropout"]
    lines = [[_place(row), row["contender"], *_numbers(row)] for row in _sorted(rows)]
    headings = ["problem", "contender", *_HEADINGS]
    return Table(f"MC dropout: {_SETTING}", headings, lines, _EXTRAPOLATED)


def method_table(medians: pd.DataFrame) -> Table:
    rows = medians[~medians["method"].isin(["mc_dropout"])]
    lines = [[_place(row), row["method"], row["contender"], *_numbers(row)] for row in _sorted(rows)]
    note = (
        f"{_EXTRAPOLATED} deep_ensemble is five networks with mean and variance each; conformal is MAPIE's; measures "
        "is the time to measure a forecast of 10,000 points, nothing is fitted."
    )
    return Table("Other methods", ["problem", "method", "contender", *_HEADINGS], lines, note)


_HEADINGS = ["fit s", "predict s", "peak MB", "model kB", "RMSE", "NLL", "ECE", "WS", "repeats"]


def _numbers(row: pd.Series) -> list[str]:
    fit = _text(row["fit_seconds"], ".3g")
    return [
        f"~{fit}" if row["extrapolated"] and fit else fit,
        _text(row["predict_seconds"], ".3g"),
        _text(row["peak_megabytes"], ".0f"),
        _text(row["model_bytes"] / 1000, ".1f"),
        *(_text(row[name], ".3g") for name in ("rmse", "nll", "ece", "ws")),
        str(row["repeats"]),
    ]


def _text(value: float, form: str) -> str:
    return "" if pd.isna(value) else format(value, form)


def _place(row: pd.Series) -> str:
    return f"{PROBLEMS[row['problem']].title}, 2x{row['width']}"


def _sorted(rows: pd.DataFrame) -> list[pd.Series]:
    """By problem, width and method as first met, ours first within."""
    order = list(PROBLEMS)
    methods = list(dict.fromkeys(rows["method"]))
    return sorted(
        (row for _, row in rows.iterrows()),
        key=lambda r: (order.index(r["problem"]), r["width"], methods.index(r["method"]), r["contender"] != OURS),
    )


def installed_table(contenders: Mapping[str, Mapping[str, Any]]) -> Table:
    """What each contender costs before anything is computed; one that could not be installed says why."""
    lines = [_installed(name, facts) for name, facts in contenders.items()]
    headings = ["contender", "version", "packages", "MB", "import s", "lines of user code", "note"]
    note = "torch included where it is needed. Lines of user code: MC dropout, fit and predict, in our script."
    return Table("What comes with it", headings, lines, note)


def _installed(name: str, facts: Mapping[str, Any]) -> list[str]:
    if "error" in facts:
        return [name, "not installed", "", "", "", "", facts["error"]]
    return [
        name, facts["version"], str(facts["packages"]), f"{facts['megabytes']:.0f}", f"{facts['import_seconds']:.2f}",
        str(facts["lines"]), facts["note"],
    ]  # fmt: skip


if __name__ == "__main__":
    for path in write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER):
        print(path)
