"""The report of the calibration study: what is chosen, whether it is confirmed, every method raw and calibrated."""

from collections.abc import Mapping, Sequence

import pandas as pd

from wdrop.report.calibrations.aims import Held, aims_table, brings, held_to_aims
from wdrop.report.calibrations.arrows import arrows_figure
from wdrop.report.calibrations.choice import RULE, Choice, choose
from wdrop.report.calibrations.confirmation import confirm, confirmed_in_words
from wdrop.report.calibrations.cuts import cuts_table
from wdrop.report.calibrations.factors import factors_table
from wdrop.report.calibrations.means import Place, iid_place, means_table, per_table, shifted_place
from wdrop.report.calibrations.rows import W_FAMILY, choosing, confirming, datasets_in, iid_scores, judged
from wdrop.report.calibrations.ways import choice_text, confirmation_table, way_in_words, ways_table
from wdrop.report.tables import Table
from wdrop.study.cost import tally
from wdrop.study.plan import Study
from wdrop.study.reports.parts import Drawn, Part, Told, records
from wdrop.study.store import Store

_PLAIN = "scale"  # what stands for "calibrated" while no choosing table is done


def calibration_report(study: Study, store: Store) -> Told:
    """All parts for which there are runs."""
    rows = judged(records(study, store))
    choices = {"The W family": choose(rows, W_FAMILY), "All methods": choose(rows)}
    made = {who: choice for who, choice in choices.items() if choice is not None}
    held = held_to_aims(rows, _ways_to_hold(made.get("The W family")))
    places = [place for place in (iid_place(rows), shifted_place(rows)) if len(place.scores)]
    parts = [
        _aims_part(rows, held),
        _choice_part(rows, made),
        *(_place_part(place, made.get("All methods")) for place in places),
        _arrows_part(places, made),
        Part("How far off std is, and how the inner folds are cut", (), _more_tables(rows, made)),
        Part("What was run", _what_was_run(study, store, rows), links={"all records as csv": "records.csv"}),
    ]  # fmt: skip
    return Told(_lead(rows, made, held), [part for part in parts if part.text or part.tables or part.figures])


def _ways_to_hold(choice: Choice | None) -> list[str]:
    chosen = [] if choice is None else [choice.best, choice.refit, choice.ensemble]
    return list(dict.fromkeys(way for way in (*chosen, _PLAIN, "raw") if way is not None))


def _lead(rows: pd.DataFrame, made: Mapping[str, Choice], held: Sequence[Held]) -> str:
    """What calibrating brings, and what was chosen: no way is picked by what it scores on the eleven."""
    family = made.get("The W family")
    if not made:
        return "Not enough was run yet for a choice."
    ours = [] if family is None else [brings(one, held) for one in held if one.way == family.best]
    chosen = [
        f"{who}: {way_in_words(choice.best)} ({choice.best}) was chosen. {confirmed_in_words(confirm(rows, choice))}"
        for who, choice in made.items()
    ]
    return "\n".join([*ours, *chosen])


def _aims_part(rows: pd.DataFrame, held: Sequence[Held]) -> Part:
    return Part("W-dropout against the aims", (), {"aims": aims_table(rows, held)} if held else {})


def _choice_part(rows: pd.DataFrame, made: Mapping[str, Choice]) -> Part:
    tables: dict[str, Table] = {}
    text = [RULE] if made else []
    for who, choice in made.items():
        confirmed = confirm(rows, choice)
        name = who.lower().removeprefix("the ").replace(" ", "_")
        text.append(choice_text(who, choice, confirmed))
        tables[f"ways_{name}"] = ways_table(f"{who}: every way to calibrate", rows, choice)
        if confirmed:
            tables[f"confirmed_{name}"] = confirmation_table(f"{who}: is the choice confirmed?", confirmed)
    return Part("The choice, and its confirmation", text, tables)


def _place_part(place: Place, choice: Choice | None) -> Part:
    """Every method raw and every method calibrated, in tables of their own."""
    ways = {
        "raw": "raw",
        "calibrated": choice.refit if choice else _PLAIN,
        "ensemble": choice.ensemble if choice else None,
    }
    tables = {
        f"{what}_{place.name}{suffix}": table
        for suffix, make in (("", means_table), ("_per_table", per_table))
        for what, way in ways.items()
        if way is not None and (table := make(place, way)) is not None
    }
    return Part(f"Every method raw, and every method calibrated: {place.title}", (), tables)


def _arrows_part(places: Sequence[Place], made: Mapping[str, Choice]) -> Part:
    choice = made.get("All methods")
    way = (choice.refit if choice else None) or _PLAIN
    if not places:
        return Part("From raw to calibrated")
    caption = (
        f"From raw (hollow) to calibrated by {way} (full): the same networks, means over data sets, both axes by "
        "factors. A perfect forecaster scores the star on so few points."
    )
    return Part("From raw to calibrated", figures=[Drawn("arrows", arrows_figure(places, way), caption)])


def _more_tables(rows: pd.DataFrame, made: Mapping[str, Choice]) -> dict[str, Table]:
    choice = made.get("The W family")
    found = {"factors": factors_table(rows), "cuts": cuts_table(rows, (choice.refit if choice else None) or _PLAIN)}
    return {name: table for name, table in found.items() if table is not None}


def _what_was_run(study: Study, store: Store, rows: pd.DataFrame) -> list[str]:
    count = tally(study, store)
    halves = [", ".join(datasets_in(iid_scores(half(rows), ("nll",)))) for half in (choosing, confirming)]
    return [
        f"{count.done} of {count.done + count.left} planned runs are done, {count.failed} failed. "
        f"{count.seconds / 3600:.2f} core-hours were used, about {count.seconds_left / 3600:.2f} are to go.",
        f"Choosing tables so far: {halves[0] or 'none'}. Confirming tables so far: {halves[1] or 'none'}.",
        "Networks of 2 x 100 units, Adam at 1e-3, five inner folds. Small tables: 500 epochs at batches of 50, which "
        "are as many steps as the published 1000 at 100, and five folds; large ones: 150 epochs at batches of 100, as "
        "published, on three folds, the two largest on two. Shifts: one fold that extrapolates and one that "
        "interpolates, for each direction, without the largest tables. Scores are in standardised units.",
    ]
