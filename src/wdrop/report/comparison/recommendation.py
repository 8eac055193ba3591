"""Which method to take, and why: from differences fold by fold."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import final

import numpy as np
from scipy.stats import t as student

from wdrop.measures import MEASURES
from wdrop.report.comparison.contestant import JUDGE, Contestant

_LEVEL = 0.05
_NEARLY = 0.03


@final
@dataclass(frozen=True)
class Difference:
    """How much worse a contestant is than the best one.

    mean, low, high  of the difference in score, with its 95 % interval
    p                chance of a difference so large, if there were none; after Holm's correction for many rivals
    n_worse          folds, of `n`, in which it was worse
    """

    contestant: Contestant
    mean: float
    low: float
    high: float
    p: float
    n_worse: int
    n: int

    @property
    def is_clear(self) -> bool:
        return self.p < _LEVEL


@final
@dataclass(frozen=True)
class Recommendation:
    """The best contestant, and every other method's better form against it, closest first."""

    best: Contestant
    differences: Sequence[Difference]

    @property
    def tied(self) -> list[Contestant]:
        """Those that these folds cannot tell from the best."""
        return [one.contestant for one in self.differences if not one.is_clear]

    @property
    def is_clear(self) -> bool:
        return bool(self.differences) and not self.tied

    @property
    def short(self) -> str:
        """The recommendation without its reason."""
        if self.is_clear or not self.differences:
            return f"take {self.best.name}"
        return f"no clear winner among {len(self.tied) + 1} methods; {self.best.name} scores best"

    @property
    def text(self) -> str:
        """The recommendation with its reason."""
        if not self.differences:
            return f"Only {self.best.name} was tried: {_facts(self.best)}."
        return self._clear() if self.is_clear else self._open()

    def _clear(self) -> str:
        second = self.differences[0]
        return (
            f"Take {self.best.name}: {_facts(self.best)}. The next best, {second.contestant.name}, has "
            f"{_heading()} {second.contestant.score(JUDGE):.3g} and is worse in {second.n_worse} of {second.n} folds "
            f"(p = {_p(second.p)})."
        )

    def _open(self) -> str:
        tied = self.tied
        others = ", ".join(one.name for one in tied[:3]) + (f" and {len(tied) - 3} more" if len(tied) > 3 else "")
        clear = [one for one in self.differences if one.is_clear]
        worse = f" {len(clear)} of {len(self.differences)} other methods are clearly worse." if clear else ""
        return (
            f"No clear winner: {self.best.name} has the best score ({_facts(self.best)}), "
            f"but these folds cannot tell it from {others}.{worse}{self._quicker()}"
        )

    def _quicker(self) -> str:
        """One that is as good, but for chance and 3 %, and much quicker."""
        near = [one for one in self.tied if one.score(JUDGE) <= (1 + _NEARLY) * self.best.score(JUDGE)]
        quickest = min([self.best, *near], key=lambda one: one.seconds)
        if quickest.seconds > self.best.seconds / 2:
            return f" Begin with {self.best.name}; none that scores within 3 % of it is much quicker."
        return (
            f" Begin with {quickest.name}: it trains in {_seconds(quickest.seconds)} instead of "
            f"{_seconds(self.best.seconds)}, and its {_heading()} of {quickest.score(JUDGE):.3g} is within 3 %."
        )


def recommend(contestants: Sequence[Contestant], measure: str = JUDGE) -> Recommendation:
    """The best of one split by its mean score over folds, each other method by its better form against it.

    Differences are paired, fold by fold. Their standard error is that of Nadeau and Bengio (2003), √(1/k + n_test /
    n_train) std, since folds share training rows and the plain one is too small.
    """
    if not contestants:
        raise ValueError("expected at least one contestant, got none")
    if len({one.split for one in contestants}) > 1:
        raise ValueError("expected contestants of one split; recommend for each split by itself")
    ordered = sorted(contestants, key=lambda one: one.score(measure))
    better_form: dict[str, Contestant] = {}
    for one in ordered:
        better_form.setdefault(one.method, one)
    best, *others = better_form.values()
    plain = [_difference(best, other, measure) for other in others]
    corrected = holm([one.p for one in plain])
    return Recommendation(best, [_with_p(one, p) for one, p in zip(plain, corrected, strict=True)])


def holm(chances: Sequence[float]) -> list[float]:
    """P-values of several tests, each raised so that the chance of any false alarm stays below the level."""
    n = len(chances)
    out, highest = [0.0] * n, 0.0
    for place, i in enumerate(np.argsort(chances, kind="stable")):
        highest = max(highest, min(1.0, (n - place) * chances[int(i)]))
        out[int(i)] = highest
    return out


def _difference(best: Contestant, other: Contestant, measure: str) -> Difference:
    gaps = other.scores[measure] - best.scores[measure]
    k, mean = len(gaps), float(np.mean(gaps))
    if k < 2:
        return Difference(other, mean, float("-inf"), float("inf"), 1.0, int((gaps > 0).sum()), k)
    error = sqrt(1 / k + best.ratio) * float(np.std(gaps, ddof=1))
    reach = error * float(student.ppf(0.975, k - 1))
    p = 2 * float(student.sf(abs(mean) / error, k - 1)) if error > 0 else float(mean == 0)
    return Difference(other, mean, mean - reach, mean + reach, p, int((gaps > 0).sum()), k)


def _with_p(difference: Difference, p: float) -> Difference:
    d = difference
    return Difference(d.contestant, d.mean, d.low, d.high, p, d.n_worse, d.n)


def _facts(one: Contestant) -> str:
    return f"{_heading()} {one.score(JUDGE):.3g}, 90 % intervals that hold {100 * one.score('coverage'):.0f} %"


def _heading() -> str:
    return MEASURES[JUDGE].heading


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.2g}"


def _seconds(value: float) -> str:
    return f"{value:.2g} s" if value < 10 else f"{value:.0f} s" if value < 120 else f"{value / 60:.0f} minutes"
