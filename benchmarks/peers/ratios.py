"""How many times faster, smaller or larger: the statements that the measurement was made for, each with its ratio."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import pandas as pd
from benchmarks.peers.problems import PROBLEMS

OURS, YARDSTICK = "wdrop", "plain_pytorch"


@final
@dataclass(frozen=True)
class Ratio:
    """One statement: what is compared, against whom, how many times, and how many were asked for (None: only told)."""

    statement: str
    against: str
    value: float
    asked: float | None = None
    at_most: bool = False

    @property
    def verdict(self) -> str:
        if self.asked is None:
            return "told"
        held = self.value <= self.asked if self.at_most else self.value >= self.asked
        return "holds" if held else "does not hold"


def value_of(medians: pd.DataFrame, column: str, **where: Any) -> float | None:
    """The one number there is for this, or None."""
    rows = medians
    for name, value in where.items():
        rows = rows[rows[name] == value]
    values = rows[column].dropna()
    return float(values.iloc[0]) if len(values) else None


def fastest_peer(medians: pd.DataFrame, column: str, problem: str, width: int) -> tuple[str, float] | None:
    """Who of the peer libraries is fastest at MC dropout there, and its seconds; the yardstick is no library."""
    rows = medians[
        (medians["method"] == "mc_dropout") & (medians["problem"] == problem) & (medians["width"] == width)
        & ~medians["contender"].isin([OURS, YARDSTICK])
    ].dropna(subset=[column])  # fmt: skip
    if rows.empty:
        return None
    best = rows.iloc[int(rows[column].to_numpy().argmin())]
    return str(best["contender"]), float(best[column])


_PREDICTIONS = (
    # method, name, asked for on the small problem
    ("mc_dropout", "50 draws", 2.0),
    ("w_dropout_closed", "closed form", 25.0),
    ("w_dropout_last_layer", "last layer", 100.0),
)


def speed_ratios(medians: pd.DataFrame) -> list[Ratio]:
    """Fit and predict on each problem against the fastest peer's MC dropout and against the user's own loop."""
    found: list[Ratio] = []
    places = medians[["problem", "width"]].drop_duplicates().itertuples(index=False)
    for problem, width in sorted(places, key=lambda place: (list(PROBLEMS).index(place[0]), place[1])):
        where = {"contender": OURS, "problem": problem, "width": width}
        asked = problem == "small" and width == 50
        title = f"{PROBLEMS[problem].title}, 2x{width}"
        compared = [("fit_seconds", "mc_dropout", "MC dropout fit", 3.0)]
        compared += [("predict_seconds", method, f"predict, {name}", times) for method, name, times in _PREDICTIONS]
        for column, method, name, times in compared:
            ours = value_of(medians, column, method=method, **where)
            peer = fastest_peer(medians, column, problem, width)
            own = value_of(
                medians, column, contender=YARDSTICK, method="mc_dropout", problem=problem, width=width
            )  # fmt: skip
            if ours is not None and peer is not None:
                found.append(Ratio(f"{title}: {name}", peer[0], peer[1] / ours, times if asked else None))
            if ours is not None and own is not None:
                found.append(Ratio(f"{title}: {name}", YARDSTICK, own / ours))
    return found


def other_ratios(medians: pd.DataFrame, contenders: Mapping[str, Mapping[str, Any]]) -> list[Ratio]:
    """Import, model size, measures."""
    found: list[Ratio] = []
    ours, torch = (contenders.get(name, {}).get("import_seconds") for name in (OURS, YARDSTICK))
    if ours is not None and torch is not None:
        # measured as users import it: all that `Regressor` needs, not the empty first line of a lazy package
        found.append(Ratio("import of the estimator, in imports of torch", "torch", ours / torch, None, at_most=True))
    where = {"problem": "small", "width": 50, "contender": OURS}
    one = value_of(medians, "model_bytes", method="w_dropout", **where)
    five = value_of(medians, "model_bytes", method="deep_ensemble", **where)
    if one is not None and five is not None:
        found.append(Ratio("bytes of a saved ensemble of five, in saved W-dropout networks", OURS, five / one))
    measure = value_of(medians, "predict_seconds", method="measures", **where)
    theirs = value_of(medians, "predict_seconds", method="measures", contender="uncertainty_toolbox")
    if measure is not None and theirs is not None:
        found.append(Ratio("measures on 10,000 points", "uncertainty_toolbox", theirs / measure))
    return found
