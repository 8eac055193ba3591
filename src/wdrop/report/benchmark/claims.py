"""The paper's claims on tables, in words and numbers, judged by our records."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.evidence import Evidence, Ours, Paper
from wdrop.report.benchmark.findings import label
from wdrop.report.benchmark.numbers import ETL_ALLOWED
from wdrop.report.benchmark.paper import ALLOWED
from wdrop.report.benchmark.verdicts import Compared
from wdrop.report.claims import Claim, Judged, NotRunError, counted, judge, undecided_rule, words_table
from wdrop.report.tables import Cell, Table

FEWEST = 5  # data sets, of the paper's fourteen: fewer do not decide a sentence on means over them
N_RESAMPLES = 100
_CALLED = "resampled data sets"


def judge_claim(claim: Claim[Evidence], ours: Ours) -> Judged:
    """Put a claim to the test on our records, on data sets drawn anew, on published forms and the paper's numbers."""
    rng = np.random.default_rng(0)
    names = ours.datasets
    drawn = [ours.on([str(name) for name in rng.choice(names, len(names))]) for _ in range(N_RESAMPLES if names else 0)]
    return judge(
        claim, ours, paper=_paper_for(ours), others=drawn, called=_CALLED,
        printed="the paper's own numbers on the same data sets", forms=_with_published_forms(claim, ours),
    )  # fmt: skip


def _paper_for(ours: Ours) -> Paper:
    """The paper's numbers on the data sets and for the methods that we have."""
    try:
        table = ours.table("rmse", "test")
    except NotRunError:
        return Paper([])
    return Paper([str(name) for name in table.index], [str(name) for name in table.columns])


def _with_published_forms(claim: Claim[Evidence], ours: Ours) -> tuple[bool | None, bool | None]:
    """Whether it holds with published forms, and with ours on the same data sets; None where that was not run."""
    found = [claim.tried(evidence) for evidence in ours.in_published_forms()]
    theirs, same = (None if one is None else one.holds for one in found)
    return theirs, same


def judge_claims(records: pd.DataFrame, claims: Sequence[Claim[Evidence]]) -> list[Judged]:
    """All claims put to the test."""
    ours = Ours(records, fewest=FEWEST)
    return [judge_claim(claim, ours) for claim in claims]


RULES = (
    "A sentence is judged on our forms of the methods and on the data sets that all methods of the paper have, once "
    f'there are {FEWEST}. {undecided_rule(_CALLED)} What "narrowly" and "comparable" medians ask for was chosen then, '
    'too. A number is "undecided" where only a spread larger than the value itself would let it agree. "A guess" is a '
    "reason that no run has confirmed."
)


def claims_text(judged: Sequence[Judged], numbers: Sequence[Compared]) -> str:
    """The sentences first, then every number; Markdown."""
    return "\n".join(
        [
            f"**In words**: {counted([j.verdict for j in judged])}. **In numbers**: "
            f"{counted([c.verdict for c in numbers])}.",
            "",
            RULES,
            "",
            sentences_table(judged).markdown(),
            numbers_table(numbers).markdown(),
        ]
    )


def sentences_table(judged: Sequence[Judged]) -> Table:
    """Every sentence with its verdict."""
    note = (
        f'"Holds in resamples": the share of {N_RESAMPLES} draws of as many data sets, with replacement, in which a '
        'sentence holds; – where it names its data sets. "Paper": whether the paper\'s own numbers show it on the same '
        "data sets, where it prints them."
    )
    return words_table(judged, "resamples", note)


def numbers_table(numbers: Sequence[Compared]) -> Table:
    """Every published number that was run: ours, spread, what is allowed, verdict."""
    rows: list[Sequence[str | Cell]] = [
        [
            c.place, label(c.method), MEASURES[c.measure].heading, Cell(c.ours, c.published), Cell(c.error),
            Cell(c.allowed), c.told,
        ]
        for c in numbers
    ]  # fmt: skip
    headings = ["where", "method", "measure", "ours (paper)", "std. error", "allowed", "verdict"]
    note = (
        f"{counted([c.verdict for c in numbers])}. {ALLOWED} {ETL_ALLOWED} A reason is a published form only where a "
        "run of that form agrees. Of the paper's nine methods six were run on the toy sets here."
    )
    return Table("In numbers", headings, rows, note)
