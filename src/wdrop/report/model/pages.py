"""The pages of a fitted and of an evaluated model."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from wdrop.data.shift import Shift
from wdrop.report.model.forecasts import Array, Forecasts
from wdrop.report.model.sections import judged_sections, shift_section, spread_sections
from wdrop.report.model.verdict import StdVerdict, advice_for, as_prose, judge_shift, judge_std
from wdrop.report.page import Section, page, write_whole
from wdrop.report.tables import Table


def write_fit_report(
    path: str | Path,
    forecasts: Forecasts | Sequence[Forecasts],
    *,
    facts: Mapping[str, object],
    said: str | None = None,
    how: str = "Every row was judged by networks that had not seen it.",
    calibrate: str | None = None,
    command: str = "wdrop fit",
) -> Path:
    """Write the page of a model that was just fitted; its path comes back.

    forecasts  of rows that did not train: held out, or out of fold; one for each target
    facts      how it was trained, name to value
    said       the verdict at the top; None makes one
    how        which rows are judged, in a sentence
    calibrate  what calibrated the model, at these rows; None if nothing did
    """
    targets = _listed(forecasts)
    lead = _told(targets, _verdicts(targets, advice_for(calibrate, same_rows=True))) if said is None else said
    sections = [*_about(targets), Section("How it was trained", [how], [_facts_table(facts)])]
    return _written(path, f"A model of {_names(targets)}", lead, sections, command)


def write_evaluation_report(
    path: str | Path,
    forecasts: Forecasts | Sequence[Forecasts],
    *,
    shift: Shift | None = None,
    training_std: Array | Sequence[Array] | None = None,
    facts: Mapping[str, object] | None = None,
    said: str | None = None,
    said_of_shift: str | None = None,
    calibrate: str | None = None,
    command: str = "wdrop evaluate",
) -> Path:
    """Write the page of a model on new rows, with or without their truth; its path comes back.

    forecasts      of the new rows, one for each target
    shift          of the rows against the training rows
    training_std   std at the training rows, (m,) for each target; a single value is their median
    said           the verdict at the top; None makes one
    said_of_shift  what the shift means; None makes a sentence
    calibrate      what calibrated the model, at other rows; None if nothing did
    """
    targets = _listed(forecasts)
    before = _stds(training_std, len(targets))
    advice = advice_for(calibrate, look_alike=shift is not None and not shift.is_shifted)
    judged = _verdicts(targets, advice)
    moved = said_of_shift or (
        "" if shift is None else as_prose([judge_shift(shift, _growth(targets, before), judged.values())])
    )
    lead = said if said is not None else f"{_told(targets, judged)} {moved}".strip()
    sections = [*_about(targets, before), *([] if shift is None else [shift_section(shift, moved)])]
    if facts:
        sections.append(Section("The model", tables=[_facts_table(facts)]))
    return _written(path, f"{_names(targets)} on {len(targets[0]):,} new rows", lead, sections, command)


def _about(targets: Sequence[Forecasts], training_std: Sequence[Array | None] = ()) -> list[Section]:
    several = len(targets) > 1
    before = list(training_std) or [None] * len(targets)
    sections = []
    for forecasts, std in zip(targets, before, strict=True):
        if (seen := forecasts.observed) is not None:
            sections += judged_sections(seen, several=several)
        sections += spread_sections(forecasts, several=several, training_std=std)
    return sections


def _verdicts(targets: Sequence[Forecasts], advice: str) -> dict[str, StdVerdict]:
    """The verdict on each target whose truth is known."""
    return {
        one.target: judge_std(seen.mean, seen.positive_std, seen.truth, advice=advice)
        for one in targets
        if (seen := one.observed) is not None
    }


def _told(targets: Sequence[Forecasts], judged: Mapping[str, StdVerdict]) -> str:
    """The verdicts in prose."""
    several = len(targets) > 1
    said = [text for target, verdict in judged.items() for text in verdict.sentences(target if several else "")]
    return as_prose(said or ["the truth is not known for these rows"])


def _growth(targets: Sequence[Forecasts], before: Sequence[Array | None]) -> list[float]:
    """For each target, how many times larger the median std is than at the training rows."""
    pairs = zip(targets, before, strict=True)
    return [float(np.median(now.std) / np.median(old)) for now, old in pairs if old is not None]


def _stds(given: Array | Sequence[Array] | None, n: int) -> list[Array | None]:
    if given is None:
        return [None] * n
    if isinstance(given, np.ndarray) and given.ndim == 1:
        return [given]
    return list(given)


def _listed(forecasts: Forecasts | Sequence[Forecasts]) -> list[Forecasts]:
    targets = [forecasts] if isinstance(forecasts, Forecasts) else list(forecasts)
    if not targets:
        raise ValueError("expected forecasts of at least one target, got none")
    return targets


def _names(targets: Sequence[Forecasts]) -> str:
    return ", ".join(one.target for one in targets)


def _facts_table(facts: Mapping[str, object]) -> Table:
    return Table("Facts", ["what", "value"], [[name, str(value)] for name, value in facts.items()])


def _written(path: str | Path, title: str, lead: str, sections: Sequence[Section], command: str) -> Path:
    place = Path(path)
    write_whole(place, page(title, lead, sections, command))
    return place
