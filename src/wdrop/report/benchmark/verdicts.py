"""How ours compares with the paper's: agrees, undecided, differs for a known or guessed reason, or unexplained."""

from dataclasses import dataclass
from math import isnan, nan, sqrt
from types import MappingProxyType
from typing import final

from wdrop.report.benchmark.paper import allowed, n_folds
from wdrop.report.benchmark.scores import Score
from wdrop.report.claims import Verdict
from wdrop.report.tables import number

FORMS = MappingProxyType(
    {
        "mc_dropout": "our constant in the variance has the keep rate, the published code the drop rate",
        "swag": "the published code counts a zero vector as the first snapshot of the weights",
        "pu": "our variance is softplus with a floor of 1e-6, the published std is softplus² without one",
        "pu_evidential": "our λ is 1e-2 as in the paper's text, its code has 1e-3",
        "pu_ensemble": "our variances are softplus with a floor of 1e-6, the published std is softplus² without one",
        "pu_mc": "our variances are softplus with a floor of 1e-6, the published std is softplus² without one",
    }
)
"""Where our form of a method differs from that of the code behind the paper's numbers; the others have one form."""


@final
@dataclass(frozen=True)
class Compared:
    """One number of the paper beside ours.

    table    the paper's table: "uci", "uci-summary", "toy", "etl"
    place    data set, or what it is a mean of
    error    standard error of ours, over folds and seeds; NaN where there is none
    allowed  by how much the two may differ and still agree
    """

    table: str
    place: str
    method: str
    measure: str
    ours: float
    published: float
    error: float
    allowed: float
    verdict: Verdict
    because: str = ""

    @property
    def told(self) -> str:
        """The verdict with its reason."""
        return f"{self.verdict} {self.because}".strip()


UNEXPLAINED = (Verdict.UNEXPLAINED, "")
"""What is told when nothing else is known."""


def judge_number(
    table: str,
    place: str,
    method: str,
    measure: str,
    ours: Score,
    published: float,
    *,
    as_published: Score | None = None,
    scatter: float = nan,
    otherwise: tuple[Verdict, str] = UNEXPLAINED,
) -> Compared:
    """The comparison of one value; the first reason that holds is told, and `otherwise` if none does.

    scatter  of folds that are fixed, in the place of an error that is not known; it makes nothing agree
    """
    limit = allowed(measure, published, ours.error)

    def compared(verdict: Verdict, because: str = "") -> Compared:
        return Compared(table, place, method, measure, ours.mean, published, ours.error, limit, verdict, because)

    if agrees(ours, published, measure):
        return compared(Verdict.AGREES)
    if (method, measure) == ("pu_evidential", "nll"):
        return compared(Verdict.DIFFERS, "the paper's is a Student-t likelihood, ours that of a Gaussian")
    if _too_wide(ours, published, measure, scatter):
        return compared(Verdict.UNDECIDED, "the spread of its folds is larger than the value")
    if as_published is not None and agrees(as_published, published, measure):
        run = f"as published it is {number(as_published.mean)}, which agrees"
        return compared(Verdict.DIFFERS, f"{FORMS.get(method, 'our form is another')}; {run}")
    # likelihoods have heavy tails: the paper's folds need not scatter like ours
    if measure != "nll" and abs(ours.mean - published) <= by_chance(ours, place):
        return compared(Verdict.CHANCE, "the random folds are others, and it is within three standard errors of both")
    if (method, place) in (("pu_mc", "kin8nm"), ("pu_mc", "year")):
        return compared(Verdict.GUESS, "there the published code probably gave PU-MC the constant of MC dropout too")
    if as_published is not None:
        return compared(Verdict.UNEXPLAINED, f"(as published: {number(as_published.mean)})")
    if method in FORMS:
        return compared(Verdict.GUESS, FORMS[method])
    return compared(*otherwise)


def agrees(ours: Score, published: float, measure: str) -> bool:
    """Whether the two are as near as is allowed, and not for the width of our errors alone."""
    apart = abs(ours.mean - published)
    if apart <= allowed(measure, published, nan):
        return True
    return apart <= allowed(measure, published, ours.error) and 3 * ours.error <= _size(published, measure)


def _too_wide(ours: Score, published: float, measure: str, scatter: float) -> bool:
    """Whether three errors, or what the scatter of fixed folds would make of them, exceed the value and bridge it."""
    width = 3 * (scatter if isnan(ours.error) else ours.error)
    return measure != "rmse" and width > _size(published, measure) and abs(ours.mean - published) <= width


def _size(published: float, measure: str) -> float:
    """What errors are held against; an NLL is a logarithm, whose zero means nothing: 1 at least."""
    return max(1.0, abs(published)) if measure == "nll" else abs(published)


def by_chance(ours: Score, dataset: str) -> float:
    """Three standard errors of the difference, the paper's folds taken to scatter like ours: 3 s √(1/n + 1/n_paper)."""
    if ours.n < 2 or isnan(ours.error):
        return nan
    return 3 * ours.spread * sqrt(1 / ours.n + 1 / n_folds(dataset))
