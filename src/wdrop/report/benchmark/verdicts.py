"""How ours compares with the paper's: agrees, differs for a known or guessed reason, or unexplained."""

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
        "concrete_dropout": "our regulariser of the drop rates is 2/(τN), the paper's text has 2/N",
        "swag": "the published code counts a zero vector as the first snapshot of the weights",
        "pu": "our variance is softplus with a floor of 1e-6, the published std is softplus² without one",
        "pu_evidential": "our λ is 1e-2 as in the paper's text, its code has 1e-3",
        "pu_ensemble": "our variances are softplus with a floor of 1e-6, the published std is softplus² without one",
        "pu_mc": "our variances are softplus with a floor of 1e-6, the published std is softplus² without one",
    }
)
"""Where our form of a method differs from the published one; the others have one form."""


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
    otherwise: tuple[Verdict, str] = UNEXPLAINED,
) -> Compared:
    """The comparison of one value; the first reason that holds is told, and `otherwise` if none does."""
    limit = allowed(measure, published, ours.error)

    def compared(verdict: Verdict, because: str = "") -> Compared:
        return Compared(table, place, method, measure, ours.mean, published, ours.error, limit, verdict, because)

    if abs(ours.mean - published) <= limit:
        hidden = limit > max(1.0, abs(published))
        return compared(Verdict.AGREES, "though three standard errors are more than the value itself" if hidden else "")
    if as_published is not None and _agrees(as_published, published, measure):
        run = f"as published it is {number(as_published.mean)}, which agrees"
        return compared(Verdict.DIFFERS, f"{FORMS.get(method, 'our form is another')}; {run}")
    if abs(ours.mean - published) <= by_chance(ours, place):
        return compared(Verdict.DIFFERS, "the random folds are others: within three standard errors of both")
    if (method, measure) == ("pu_evidential", "nll"):
        return compared(Verdict.DIFFERS, "the paper's is a Student-t likelihood, ours that of a Gaussian")
    if (method, place) in (("pu_mc", "kin8nm"), ("pu_mc", "year")):
        return compared(Verdict.GUESS, "there the published code probably gave PU-MC the constant of MC dropout too")
    if as_published is not None:
        return compared(Verdict.UNEXPLAINED, f"(as published: {number(as_published.mean)})")
    if method in FORMS:
        return compared(Verdict.GUESS, FORMS[method])
    return compared(*otherwise)


def _agrees(ours: Score, published: float, measure: str) -> bool:
    return abs(ours.mean - published) <= allowed(measure, published, ours.error)


def by_chance(ours: Score, dataset: str) -> float:
    """Three standard errors of the difference, the paper's folds taken to scatter like ours: 3 s √(1/n + 1/n_paper)."""
    if ours.n < 2 or isnan(ours.error):
        return nan
    return 3 * ours.spread * sqrt(1 / ours.n + 1 / n_folds(dataset))
