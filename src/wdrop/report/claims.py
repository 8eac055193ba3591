"""A sentence of the paper, how it is put to the test, and what came out; shared by tables and detector."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isnan, nan
from typing import Any, Generic, TypeVar, final

from wdrop.report.tables import Table

Evidence = TypeVar("Evidence")
"""What a sentence is held against: records, or the paper's own numbers."""


class Verdict(StrEnum):
    """From best to worst; a guess is a reason that no run has confirmed."""

    AGREES = "agrees"
    UNDECIDED = "undecided:"
    CHANCE = "differs, perhaps by chance:"
    DIFFERS = "differs because"
    GUESS = "differs, a guess:"
    UNEXPLAINED = "unexplained"


class NotRunError(LookupError):
    """There are no records (or no published numbers) to hold a claim against."""


@final
@dataclass(frozen=True)
class Finding:
    """Whether a sentence holds, and the numbers that say so.

    undecided  why these numbers tell neither, whatever `holds` says
    """

    holds: bool
    told: str
    undecided: str = ""


@final
@dataclass(frozen=True)
class Claim(Generic[Evidence]):
    """A sentence of the paper, and how it is put to the test.

    criterion  what must be so for it to hold, where the sentence leaves that open
    guess      why it may not hold with our forms, where no run can tell
    resampled  whether data sets drawn anew say anything: not where the sentence names its data sets
    """

    text: str
    where: str
    test: Callable[[Evidence], Finding]
    criterion: str = ""
    guess: str = ""
    resampled: bool = True

    def tried(self, evidence: Evidence) -> Finding | None:
        """What the test finds; None where there is nothing to hold it against."""
        try:
            return self.test(evidence)
        except NotRunError:
            return None


@final
@dataclass(frozen=True)
class Judged:
    """A claim with what we found; `verdict` None means that it was not run.

    share        of resampled data sets, or of seeds, in which it holds; NaN where that makes no sense
    paper_holds  whether the paper's own numbers show it; None where it prints none
    """

    claim: Claim[Any]
    verdict: Verdict | None
    ours: str = ""
    share: float = nan
    paper_holds: bool | None = None
    because: str = ""

    @property
    def told(self) -> str:
        """The verdict with its reason."""
        return "not run" if self.verdict is None else f"{self.verdict} {self.because}".strip()


TOO_CLOSE = 0.1
"""A sentence that holds (or fails), yet does not in more than this share of the others, is undecided."""


def undecided_rule(called: str) -> str:
    """When a sentence is undecided, for the reader; `called` is what the others are called."""
    return (
        f'A sentence is "undecided" where more than {TOO_CLOSE:.0%} of {called} tell the opposite of what is found '
        "here, whether it holds or fails; this rule was chosen after the numbers had been seen."
    )


def judge(
    claim: Claim[Evidence],
    ours: Evidence,
    *,
    paper: Evidence,
    others: Sequence[Evidence],
    called: str,
    printed: str = "the paper's own numbers",
    forms: tuple[bool | None, bool | None] = (None, None),
) -> Judged:
    """Put a claim to the test.

    others, called  our records seen otherwise, data sets drawn anew for instance, and what these are called
    printed         what the paper's numbers are called, where they are a part of what it prints
    forms           whether it holds with the methods' published forms, and with ours on the same data sets
    """
    found = claim.tried(ours)
    if found is None:
        return Judged(claim, None)
    theirs = claim.tried(paper)
    paper_holds = None if theirs is None else theirs.holds
    tried = [claim.tried(evidence) for evidence in others] if claim.resampled else []
    held = [other.holds for other in tried if other is not None]
    share = sum(held) / len(held) if len(held) > 1 else nan  # one other alone is no spread
    verdict, because = _verdict(claim, found, paper_holds, share, called, printed, forms)
    return Judged(claim, verdict, found.told, share, paper_holds, because)


def _verdict(
    claim: Claim[Evidence],
    found: Finding,
    paper_holds: bool | None,
    share: float,
    called: str,
    printed: str,
    forms: tuple[bool | None, bool | None],
) -> tuple[Verdict, str]:
    published, same_sets = forms
    if found.undecided:
        return Verdict.UNDECIDED, found.undecided
    if (1 - share if found.holds else share) > TOO_CLOSE:
        here = "holds here, and" if found.holds else "fails here, yet holds"
        return Verdict.UNDECIDED, f"it {here} in {share:.0%} of {called}"
    if found.holds:
        return Verdict.AGREES, f"though {printed} do not show it" if paper_holds is False else ""
    if paper_holds is False:
        return Verdict.DIFFERS, f"{printed} do not show it either"
    if published and same_sets is False:
        return Verdict.DIFFERS, "of the forms: with the published ones it holds on the data sets that have them"
    tried = "(with the published forms it fails too, on the data sets that have them)" if published is False else ""
    if claim.guess:
        return Verdict.GUESS, f"{claim.guess} {tried}".strip()
    return Verdict.UNEXPLAINED, tried


def words_table(judged: Sequence[Judged], others: str, note: str) -> Table:
    """Sentence, verdict, ours, criterion, in how many of the others it holds, the paper's own numbers.

    What was not run comes last; `others` is the word for them in the heading, `note` says what they are.
    """
    rows = [
        [
            j.claim.text, j.told, j.ours, j.claim.criterion, "–" if isnan(j.share) else f"{j.share:.0%}",
            {None: "–", True: "holds", False: "does not hold"}[j.paper_holds], j.claim.where,
        ]
        for j in sorted(judged, key=lambda j: j.verdict is None)
    ]  # fmt: skip
    headings = ["claim", "verdict", "ours", "holds if", f"holds in {others}", "paper", "where"]
    return Table("In words", headings, rows, f"{counted([j.verdict for j in judged])}. {note}")


def counted(verdicts: Sequence[Verdict | None]) -> str:
    """How many of each: "11 agree, 1 unexplained, 43 not run, of 55"."""
    counts = Counter(verdicts)
    texts = {
        Verdict.AGREES: "agree",
        Verdict.UNDECIDED: "undecided",
        Verdict.CHANCE: "differ, perhaps by chance",
        Verdict.DIFFERS: "differ for a known reason",
        Verdict.GUESS: "differ, with a guess why",
        Verdict.UNEXPLAINED: "unexplained",
        None: "not run",
    }
    told = ", ".join(f"{counts[verdict]} {text}" for verdict, text in texts.items() if counts[verdict])
    return f"{told}, of {len(verdicts)}" if told else "none were run"
