"""A study's records, tables, figures and page; a function of what lies in the store, it trains nothing."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pandas as pd

from wdrop.report.figures import jpeg, png, svg
from wdrop.report.page import Picture, Section, page, write_whole
from wdrop.study.adopt import read_records
from wdrop.study.plan import Study
from wdrop.study.reports.calibration import calibration_report
from wdrop.study.reports.closed_form import closed_form_report
from wdrop.study.reports.general import general_report
from wdrop.study.reports.parts import PRECISION, Drawn, Part, Told, records
from wdrop.study.reports.toy import toy_report
from wdrop.study.reports.uci import uci_report
from wdrop.study.store import Store

REPORTS: Mapping[str, Callable[[Study, Store], Told]] = MappingProxyType(
    {
        "calibration": calibration_report,
        "closed_form": closed_form_report,
        "toy": toy_report,
        "uci": uci_report,
        "uci-year": uci_report,
    }
)
"""Reports with figures of their own, by the name of the study; the others get tables."""


def write_report(study: Study, store: Store, out: Path) -> Path:
    """Write `records.csv`, `tables/`, `figures/` and `report.html` to the folder; the page's path."""
    table = records(study, store)
    _keep_runs_of(out / "records.csv", study, table)
    told = REPORTS.get(study.name, _usual(study))(study, store)
    write_whole(out / "records.csv", table.to_csv(index=False, float_format=f"%{PRECISION}"))
    sections = [_section(part, out) for part in told.parts]
    command = f"wdrop study run {study.source} && wdrop study report {study.source}"
    write_whole(out / "report.html", page(study.title, told.lead, sections, command))
    return out / "report.html"


def _keep_runs_of(path: Path, study: Study, table: pd.DataFrame) -> None:
    """Refuse to write records over others that have more: hours of training may be in them alone."""
    if not path.exists():
        return
    there = read_records(path)
    planned = {run.key for run in study.runs}
    lost = planned & {*there.loc[there["status"] == "done", "key"]} - {*table["key"]}
    if lost:
        raise ValueError(
            f"{path} has {len(lost)} runs that are not in the store; take them in with --records {path}, or write "
            "elsewhere with --out"
        )


def _usual(study: Study) -> Callable[[Study, Store], Told]:
    if not any(run.is_detection for run in study.runs):
        return general_report
    from wdrop.study.reports.detection import detection_report

    return detection_report


def _section(part: Part, out: Path) -> Section:
    pictures = [_picture(drawn, out / "figures") for drawn in part.figures]
    for name, table in part.tables.items():
        for suffix, text in (("md", table.markdown()), ("tex", table.latex()), ("csv", table.csv())):
            write_whole(out / "tables" / f"{name}.{suffix}", text)
    tables = list(part.tables.values())
    files = [f"tables/{name}" for name in part.tables]
    return Section(part.heading, part.text, tables, pictures, part.scatters, part.links, part.folded, files)


def _picture(drawn: Drawn, folder: Path) -> Picture:
    """The figure for the page, smaller than its files, as a page holds many."""
    if drawn.photographs:
        write_whole(folder / f"{drawn.name}.jpg", jpeg(drawn.figure))
        return Picture(jpeg(drawn.figure, dpi=110), drawn.caption, f"figures/{drawn.name}.jpg")
    write_whole(folder / f"{drawn.name}.png", png(drawn.figure))
    write_whole(folder / f"{drawn.name}.svg", svg(drawn.figure))
    return Picture(png(drawn.figure, dpi=110), drawn.caption, f"figures/{drawn.name}.svg")
