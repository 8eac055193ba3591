"""Which calibration to take: chosen on the random folds of the choosing tables alone, by mean rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import pandas as pd

from wdrop.report.calibrations.rows import choosing, iid_scores, is_ensemble, is_raw

RULE_MEASURES = ("nll", "ece", "ws")
RULE = (
    "The rule, fixed before the study was run: for each method and each choosing table, the ways are ranked on NLL, on "
    "ECE and on WS, means over random folds that tie if they agree to four decimals; the way with the lowest mean rank "
    "is chosen, of equal ones the simpler, as the plan lists them. Neither the confirming tables nor shifts have a say."
)
_DECIMALS = 4
_PAIR = ["method", "dataset"]


@final
@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen for some methods.

    methods  of whom it is the choice, as far as they were run
    ranks    mean rank of each way, best first
    n_cells  how many pairs of method and table it rests on
    """

    methods: Sequence[str]
    ranks: "pd.Series[float]"
    n_cells: int

    @property
    def best(self) -> str:
        """The way of lowest mean rank."""
        return str(self.ranks.index[0])

    @property
    def refit(self) -> str | None:
        """The best way to calibrate in which the network on all rows predicts."""
        return self._first(ensemble=False)

    @property
    def ensemble(self) -> str | None:
        """The best way to calibrate in which the inner networks predict."""
        return self._first(ensemble=True)

    def _first(self, ensemble: bool) -> str | None:
        ways = [str(way) for way in self.ranks.index]
        return next((way for way in ways if is_ensemble(way) == ensemble and not is_raw(way)), None)


def choose(rows: pd.DataFrame, methods: Sequence[str] | None = None) -> Choice | None:
    """The choice for these methods, or for all; None where no choosing table has all ways of any of them.

    All rows may be given: those that do not choose are left out here.
    """
    scores = iid_scores(choosing(rows), RULE_MEASURES).dropna()
    ways = scores.index.get_level_values("way").unique()  # as the plan lists them
    if methods is not None:
        scores = scores[scores.index.get_level_values("method").isin(list(methods))]
    scores = scores.groupby(level=_PAIR).filter(lambda some: len(some) == len(ways))
    if scores.empty:
        return None
    pairs = scores.round(_DECIMALS).groupby(level=_PAIR)
    ranks = pairs.rank().mean(axis="columns").groupby(level="way").mean()
    names = scores.index.get_level_values("method").unique()
    return Choice([str(name) for name in names], ranks.reindex(ways).sort_values(kind="stable"), pairs.ngroups)
