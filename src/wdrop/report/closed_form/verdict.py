"""Which variant for whom: sentences computed from the records, with the rules they go by."""

from collections.abc import Sequence
from math import isnan
from types import MappingProxyType

import pandas as pd

from wdrop.report.benchmark.scores import DATASETS, in_order
from wdrop.report.closed_form.gaps import typical_gap
from wdrop.report.closed_form.rows import (
    CLOSED,
    HALF_DRAWN,
    LAST_LAYER,
    SAMPLED,
    SAMPLED_MORE,
    TRUTH,
    WAYS,
    asked,
    in_table_order,
    on_tables,
    own_way,
)
from wdrop.report.closed_form.scores import JUDGED, common_datasets
from wdrop.report.closed_form.settings import SETTINGS, with_usual
from wdrop.report.closed_form.shift import extrapolating
from wdrop.report.tables import Cell, Table, number

HOLDS = (5.0, 20.0)
"""A std counts as the spread of the sub-networks where its gap is at most so many %, median and 95 % of points."""
_IN_WORDS = MappingProxyType(
    {
        SAMPLED: "trained by five draws a step, the paper's way",
        SAMPLED_MORE: "trained by nine draws a step",
        CLOSED: "trained in closed form without a draw",
        HALF_DRAWN: "trained half by draws and half in closed form",
        LAST_LAYER: "with dropout before the last layer alone",
    }
)
RULE = (
    "Rules: a std counts as the spread of the sub-networks where its gap to 10,000 draws is at most "
    f"{HOLDS[0]:g} % (median) and {HOLDS[1]:g} % (95 % of points), median over tables. The best is the one with the "
    "lowest mean rank over tables and over NLL, ECE and WS, on random folds."
)


def ranked(rows: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Mean rank of every training in its own way, and of sampled ones in closed form too; the best first."""
    some = on_tables(rows)
    some = some[some["dataset"].isin(common_datasets(some))]
    pairs = [(training, own_way(training)) for training in in_table_order(some["training"])]
    pairs += [(training, "closed_form") for training in (SAMPLED, SAMPLED_MORE) if (training, "200 draws") in pairs]
    found = {pair: asked(some[some["training"] == pair[0]], pair[1]) for pair in pairs}
    means = {pair: one.groupby("dataset")[list(JUDGED)].mean() for pair, one in found.items() if len(one)}
    if not means:
        return {}
    # columns by number: pairs as their names would become columns of two levels
    columns = [pd.DataFrame({i: one[measure] for i, one in enumerate(means.values())}) for measure in JUDGED]
    ranks = pd.concat([scores.rank(axis=1) for scores in columns]).mean()
    return dict(sorted(zip(means, map(float, ranks), strict=True), key=lambda entry: entry[1]))


def ranks_table(rows: pd.DataFrame) -> Table | None:
    """The mean ranks."""
    out: list[Sequence[str | Cell]] = [
        [training, WAYS[way], "1" if way == "closed_form" else "200", Cell(rank)]
        for (training, way), rank in ranked(rows).items()
    ]
    names = common_datasets(on_tables(rows))
    note = f"Mean rank over NLL, ECE and WS on the tables {', '.join(names)}, random folds; 1 is best."
    return Table("Mean ranks", ["trained", "asked by", "passes", "mean rank"], out, note) if out else None


def verdict(rows: pd.DataFrame) -> list[str]:
    """One sentence or two for each user; what was not run is said."""
    return [
        _winner(rows),
        _recommended(rows),
        _spread(rows, LAST_LAYER, "Who may choose where dropout stands"),
        _existing(rows),
        _spread(rows, CLOSED, "Who trains without draws, dropout everywhere"),
        _spread(rows, HALF_DRAWN, "The same with half of every batch trained by draws"),
        _rough(rows),
        *(_where_it_holds(rows, training) for training in (SAMPLED, CLOSED, HALF_DRAWN)),
        *(_grows(rows, training) for training in (SAMPLED, CLOSED, HALF_DRAWN, LAST_LAYER)),
        RULE,
    ]


def _winner(rows: pd.DataFrame) -> str:
    ranks = ranked(rows)
    if len(ranks) < 2:
        return "Not enough was run to rank the trainings."
    named = [(f"{_trained(training)} and {_asked(way)}", rank) for (training, way), rank in ranks.items()]
    (first, rank), (second, next_rank) = named[:2]
    return (
        f"The best scores come from networks {first} (mean rank {rank:.2f} of {len(ranks)}), the next from networks "
        f"{second} ({next_rank:.2f}): NLL, ECE and WS on {', '.join(common_datasets(on_tables(rows)))}, random folds."
    )


def _trained(training: str) -> str:
    return _IN_WORDS.get(training, f"trained as {training}")


def _asked(way: str) -> str:
    return "asked in one pass by the closed form" if way == "closed_form" else f"asked by {WAYS[way]}"


def _recommended(rows: pd.DataFrame) -> str:
    """The best of one pass, and the best of those that tell the spread of their sub-networks."""
    one_pass = [(training, rank) for (training, way), rank in ranked(rows).items() if way == "closed_form"]
    if not one_pass:
        return "No training was asked in closed form on tables."
    honest = [(training, rank) for training, rank in one_pass if is_spread(*_told_gap(rows, training))]
    told = f"Of those asked in one pass the best are {_trained(one_pass[0][0])} (mean rank {one_pass[0][1]:.2f})"
    if not honest:
        return f"{told}; of none is the std the spread of its sub-networks."
    if honest[0] == one_pass[0]:
        return f"{told}; their std is the spread of their sub-networks."
    return (
        f"{told}; of those whose std is the spread of their sub-networks, the ones {_trained(honest[0][0])} "
        f"({honest[0][1]:.2f})."
    )


def is_spread(median: float, high: float) -> bool:
    """Whether a gap is small enough for the std to be called the spread of the sub-networks."""
    return median <= HOLDS[0] and high <= HOLDS[1]


def _told_gap(rows: pd.DataFrame, training: str) -> tuple[float, float]:
    some = on_tables(rows)
    return typical_gap(asked(some[some["training"] == training], "closed_form"))


def _spread(rows: pd.DataFrame, training: str, whom: str) -> str:
    some = on_tables(rows)
    some = some[some["training"] == training]
    median, high = _told_gap(rows, training)
    if isnan(median):
        return f"{whom} ({training}): not run on tables."
    is_or_not = "is" if is_spread(median, high) else "is not"
    told, drawn = (_nll(some, way) for way in ("closed_form", TRUTH))
    return (
        f"{whom} ({training}): the std told {is_or_not} the spread of its sub-networks, gap {median:.1f} % (median) "
        f"and {high:.1f} % (95 %). NLL {number(told)} as told, {number(drawn)} by draws of the same networks."
    )


def _existing(rows: pd.DataFrame) -> str:
    some = on_tables(rows)
    parts = []
    for training in (SAMPLED, SAMPLED_MORE):
        of_one = some[some["training"] == training]
        median, high = _told_gap(rows, training)
        if not isnan(median):
            holds = "holds" if is_spread(median, high) else "does not hold"
            told, drawn = (_nll(of_one, way) for way in ("closed_form", "200 draws"))
            parts.append(
                f"{training}: the closed form {holds}, gap {median:.1f} % and {high:.1f} %, NLL {number(told)} in one "
                f"pass, {number(drawn)} by 200 draws"
            )
    return f"Who has a network trained by draws: {'; '.join(parts) or 'not run on tables'}."


def _rough(rows: pd.DataFrame) -> str:
    some = on_tables(rows)
    parts = []
    for way in ("linearised", "diagonal"):
        found = asked(some, way)
        gaps = {t: typical_gap(found[found["training"] == t])[0] for t in in_table_order(found["training"])}
        if gaps:
            parts.append(f"{way} " + ", ".join(f"{gap:.0f} % ({training})" for training, gap in gaps.items()))
    return f"The cruder ways, median gap: {'; '.join(parts) or 'not run'}."


def _where_it_holds(rows: pd.DataFrame, training: str) -> str:
    """At which settings the closed form tells the spread of the sub-networks."""
    parts = []
    for setting in SETTINGS:
        some = with_usual(rows, setting, "tables")
        some = asked(some[some["training"] == training], "closed_form").dropna(subset="gap_median")
        values = sorted(set(some["value"]))
        if len(values) > 1:
            gaps = {value: typical_gap(some[some["value"] == value]) for value in values}
            held = [f"{value:g}" for value, gap in gaps.items() if is_spread(*gap)]
            beyond = [
                f"{value:g} (gap {gap[0]:.1f} % and {gap[1]:.1f} %)"
                for value, gap in gaps.items()
                if not is_spread(*gap)
            ]
            # the sentences before are about more tables: a gap may keep to the limit there, and not on these
            sets = ", ".join(in_order(sorted(set(some["dataset"])), DATASETS))
            told = f"{setting} = {', '.join(held) or 'none'}{', not ' if beyond else ''}{', '.join(beyond)}"
            parts.append(f"{told}, on {sets} alone")
    return (
        f"Settings at which the closed form tells the spread of the sub-networks, {training}: "
        f"{'; '.join(parts) or 'not run'}."
    )


def _grows(rows: pd.DataFrame, training: str) -> str:
    parts = []
    for split in ("label", "pca"):
        found = extrapolating(rows, training, split)
        if found:
            std, rmse = (float(pd.Series([getattr(one, name) for one in found]).median()) for name in ("std", "rmse"))
            grows = sum(one.std > 1 for one in found)
            parts.append(
                f"{split}: std grows on {grows} of {len(found)} data sets, {std:.2f} times (median) while RMSE grows "
                f"{rmse:.2f} times"
            )
    return f"Beyond the data, {training}: {'; '.join(parts) or 'not run'}."


def _nll(rows: pd.DataFrame, way: str) -> float:
    """Mean over tables of the mean over folds."""
    return float(asked(rows, way).groupby("dataset")["nll"].mean().mean())
