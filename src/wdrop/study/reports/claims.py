"""Every claim of the paper, in words and numbers, beside what came out: one text for all studies with results."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pandas as pd

from wdrop.report.benchmark.claims import claims_text, judge_claims
from wdrop.report.benchmark.numbers import all_numbers
from wdrop.report.benchmark.paper_claims import CLAIMS
from wdrop.report.benchmark.scores import done
from wdrop.report.detection.claims import detection_claims_text, judge_detection_claims
from wdrop.report.page import write_whole
from wdrop.study.adopt import read_records
from wdrop.study.plan import load_study


def tables_claims(records: pd.DataFrame) -> str:
    """The section on tables."""
    table = done(records)
    return claims_text(judge_claims(table, CLAIMS), all_numbers(table))


def detector_claims(records: pd.DataFrame) -> str:
    """The section on detectors."""
    return detection_claims_text(judge_detection_claims(records), records)


SECTIONS: Mapping[str, tuple[str, Callable[[pd.DataFrame], str]]] = MappingProxyType(
    {"uci": ("Tables", tables_claims), "mini": ("Detector", detector_claims)}
)
"""The studies that put the paper's claims to the test: heading and text of each."""


def write_claims(results: Path) -> Path:
    """Write `claims.md` into the folder of all results, out of the `records.csv` of each study there."""
    sections, looked_for = [], []
    for name, (heading, text) in SECTIONS.items():
        study = load_study(name)
        path = results / (study.results or study.name) / "records.csv"
        looked_for.append(repr(str(path)))
        if path.exists():
            records = read_records(path)
            n_done = records.loc[records["status"] == "done", "key"].nunique()
            told = f"Study `{name}`, {n_done} of {len(study.runs)} planned runs; page and records: [{path.parent.name}]"
            sections += [f"## {heading}", "", f"{told}({path.parent.name}).", "", text(records)]
    if not sections:
        raise FileNotFoundError(
            f"found neither {' nor '.join(looked_for)}; go to the folder that has results/, or name it by --results"
        )
    opening = [
        "# The paper's claims, and what came out",
        "",
        "Written by `wdrop study claims` from the records of the studies; nothing here is by hand but the sentences "
        "and their criteria.",
        "",
    ]
    write_whole(results / "claims.md", "\n".join([*opening, *sections]))
    return results / "claims.md"
