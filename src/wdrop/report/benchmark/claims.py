"""The paper's claims, in words and numbers, judged by our records; the text of `claims.md`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import final

import numpy as np
import pandas as pd

from wdrop.measures import MEASURES
from wdrop.report.benchmark.evidence import Evidence, NotRunError, Ours, Paper
from wdrop.report.benchmark.findings import Finding, Test, label
from wdrop.report.benchmark.numbers import ETL_ALLOWED, all_numbers
from wdrop.report.benchmark.paper import ALLOWED
from wdrop.report.benchmark.verdicts import Compared, Verdict
from wdrop.report.tables import Cell, Table

N_RESAMPLES = 100
_TOO_CLOSE = 0.1  # a claim that fails, yet holds in more than this share of resampled data sets, is not decided


@final
@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and how it is put to the test.

    criterion  what must be so for it to hold, where the sentence leaves that open
    guess      why it may not hold with our forms, where no run can tell
    """

    text: str
    where: str
    test: Test
    criterion: str = ""
    guess: str = ""


@final
@dataclass(frozen=True)
class Judged:
    """A claim with what we found; `verdict` None means that it was not run.

    share        of resampled data sets in which it holds; NaN where that makes no sense
    paper_holds  whether the paper's own numbers show it on the same data sets; None where it prints none
    """

    claim: Claim
    verdict: Verdict | None
    ours: str = ""
    share: float = float("nan")
    paper_holds: bool | None = None
    because: str = ""

    @property
    def told(self) -> str:
        """The verdict with its reason."""
        return "not run" if self.verdict is None else f"{self.verdict} {self.because}".strip()


def judge_claim(claim: Claim, ours: Ours) -> Judged:
    """Put a claim to the test on our records, on data sets drawn anew, on published forms and the paper's numbers."""
    found = _try(claim.test, ours)
    if found is None:
        return Judged(claim, None)
    theirs = _try(claim.test, _paper_for(ours))
    paper_holds = None if theirs is None else theirs.holds
    share = _share(claim.test, ours)
    verdict, because = _verdict(claim, ours, found, paper_holds, share)
    return Judged(claim, verdict, found.told, share, paper_holds, because)


def _verdict(claim: Claim, ours: Ours, found: Finding, paper_holds: bool | None, share: float) -> tuple[Verdict, str]:
    if found.holds:
        doubts = ["the paper's own numbers on the same data sets do not show it"] if paper_holds is False else []
        doubts += [f"it holds in only {share:.0%} of resampled data sets"] if share < 0.5 else []
        return Verdict.AGREES, f"though {' and '.join(doubts)}" if doubts else ""
    if paper_holds is False:
        return Verdict.DIFFERS, "the paper's own numbers on the same data sets do not show it either"
    published, same_sets = _with_published_forms(claim.test, ours)
    if published and same_sets is False:
        return Verdict.DIFFERS, "of the forms: with the published ones it holds on the data sets that have them"
    if share > _TOO_CLOSE:
        return Verdict.DIFFERS, f"it is too close to call: it holds in {share:.0%} of resampled data sets"
    tried = "(with the published forms it fails too, on the data sets that have them)" if published is False else ""
    if claim.guess:
        return Verdict.GUESS, f"{claim.guess} {tried}".strip()
    return Verdict.UNEXPLAINED, tried


def _try(test: Test, evidence: Evidence) -> Finding | None:
    try:
        return test(evidence)
    except NotRunError:
        return None


def _paper_for(ours: Ours) -> Paper:
    """The paper's numbers on the data sets and for the methods that we have."""
    try:
        table = ours.table("rmse", "test")
    except NotRunError:
        return Paper([])
    return Paper([str(name) for name in table.index], [str(name) for name in table.columns])


def _with_published_forms(test: Test, ours: Ours) -> tuple[bool | None, bool | None]:
    """Whether it holds with published forms, and with ours on the same data sets; None where that was not run."""
    published = ours.as_published()
    found = _try(test, published), _try(test, ours.on(published.picked or []))
    return found[0].holds if found[0] else None, found[1].holds if found[1] else None


def _share(test: Test, ours: Ours) -> float:
    """The share of resampled data sets in which a claim holds: how much hangs on which ones were taken."""
    rng = np.random.default_rng(0)
    names = ours.datasets
    found = [_try(test, ours.on(list(rng.choice(names, len(names))))) for _ in range(N_RESAMPLES)]
    held = [finding.holds for finding in found if finding is not None]
    return float(np.mean(held)) if held else float("nan")


def judge_claims(records: pd.DataFrame, claims: Sequence[Claim]) -> list[Judged]:
    """All claims put to the test."""
    ours = Ours(records)
    return [judge_claim(claim, ours) for claim in claims]


def claims_markdown(records: pd.DataFrame, claims: Sequence[Claim]) -> str:
    """The text of `claims.md`, from the records alone."""
    return claims_text(judge_claims(records, claims), all_numbers(records))


def claims_text(judged: Sequence[Judged], numbers: Sequence[Compared]) -> str:
    """The text of `claims.md`: the sentences first, then every number."""
    return "\n".join(
        [
            "# The paper's claims, and what came out",
            "",
            "Generated from the records of the study; nothing here is written by hand but the sentences and criteria.",
            "",
            f"**In words**: {_counted([j.verdict for j in judged])}. **In numbers**: "
            f"{_counted([c.verdict for c in numbers])}.",
            "",
            "A sentence is judged on our forms of the methods and on the data sets that all methods of the paper have. "
            "*Spread* is the share of resampled data sets in which it holds; *paper* says whether the paper's own "
            "numbers show it on the same data sets, where it prints them. *A guess* is a reason that no run has "
            "confirmed.",
            "",
            words_table(judged).markdown(),
            f"{ALLOWED} {ETL_ALLOWED} A reason is a published form only where a run of that form agrees.",
            "",
            numbers_table(numbers).markdown(),
        ]
    )


def words_table(judged: Sequence[Judged]) -> Table:
    """Sentence, verdict, ours, criterion, spread, the paper's own numbers; what was not run comes last."""
    rows = [
        [
            j.claim.text, j.told, j.ours, j.claim.criterion, "–" if isnan(j.share) else f"{j.share:.0%}",
            {None: "–", True: "holds", False: "does not hold"}[j.paper_holds], j.claim.where,
        ]
        for j in sorted(judged, key=lambda j: j.verdict is None)
    ]  # fmt: skip
    headings = ["claim", "verdict", "ours", "holds if", "spread", "paper", "where"]
    return Table("In words", headings, rows, _counted([j.verdict for j in judged]))


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
    return Table("In numbers", headings, rows, _counted([c.verdict for c in numbers]))


def _counted(verdicts: Sequence[Verdict | None]) -> str:
    counts = Counter(verdicts)
    texts = {
        Verdict.AGREES: "agree",
        Verdict.DIFFERS: "differ for a known reason",
        Verdict.GUESS: "differ, with a guess why",
        Verdict.UNEXPLAINED: "unexplained",
        None: "not run",
    }
    told = ", ".join(f"{counts[verdict]} {text}" for verdict, text in texts.items() if counts[verdict])
    return f"{told}, of {len(verdicts)}" if told else "none were run"
