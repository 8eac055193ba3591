"""The pages of a fitted and of an evaluated model."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from wdrop.report.model.forecasts import Array, Forecasts
from wdrop.report.model.sections import judged_sections, shift_section, spread_sections
from wdrop.report.model.shift import FeatureShift, shift_verdict
from wdrop.report.model.verdict import CALIBRATE, verdict
from wdrop.report.page import Section, page, write_whole
from wdrop.report.tables import Table

_ODD_ERRORS = "a few errors are far larger than the others, look at them, or refit with calibrate=robust_scale"
_NEW_ROWS = "it was calibrated on other rows, look at the shift check, and refit with rows like these"


def write_fit_report(
    path: str | Path,
    forecasts: Forecasts | Sequence[Forecasts],
    *,
    facts: Mapping[str, object],
    said: str | None = None,
    how: str = "Every row was judged by networks that had not seen it.",
    is_calibrated: bool = False,
    command: str = "wdrop fit",
) -> Path:
    """Write the page of a model that was just fitted; its path comes back.

    forecasts  of rows that did not train: held out, or out of fold; one for each target
    facts      how it was trained, name to value
    said       the verdict at the top; None makes one
    how        which rows are judged, in a sentence
    """
    targets = _listed(forecasts)
    lead = _verdicts(targets, _ODD_ERRORS if is_calibrated else CALIBRATE) if said is None else said
    sections = [*_about(targets), Section("How it was trained", [how], [_facts_table(facts)])]
    return _written(path, f"A model of {_names(targets)}", lead, sections, command)


def write_evaluation_report(
    path: str | Path,
    forecasts: Forecasts | Sequence[Forecasts],
    *,
    shifts: Sequence[FeatureShift] = (),
    training_std: Array | Sequence[Array] | None = None,
    facts: Mapping[str, object] | None = None,
    said: str | None = None,
    said_of_shift: str | None = None,
    is_calibrated: bool = False,
    command: str = "wdrop evaluate",
) -> Path:
    """Write the page of a model on new rows, with or without their truth; its path comes back.

    forecasts      of the new rows, one for each target
    shifts         of the features against the training rows, see `feature_shifts`
    training_std   std at the training rows, (m,) for each target; a single value is their median
    said           the verdict at the top; None makes one
    said_of_shift  what the shifts mean; None makes a sentence
    """
    targets = _listed(forecasts)
    before = _stds(training_std, len(targets))
    moved = said_of_shift or (shift_verdict(shifts, _growth(targets, before)) if shifts else "")
    known = [one for one in targets if one.observed is not None]
    verdicts = (
        _verdicts(known, _NEW_ROWS if is_calibrated else CALIBRATE)
        if known
        else "The truth is not known for these rows."
    )
    lead = said if said is not None else f"{verdicts} {moved}".strip()
    sections = [*_about(targets, before), *([shift_section(shifts, moved)] if shifts else [])]
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


def _verdicts(targets: Sequence[Forecasts], advice: str) -> str:
    seen = [(one.target, part) for one in targets if (part := one.observed) is not None]
    said = [(target, verdict(part, advice=advice)) for target, part in seen]
    return said[0][1] if len(said) == 1 else " ".join(f"{target}: {text}" for target, text in said)


def _growth(targets: Sequence[Forecasts], before: Sequence[Array | None]) -> float | None:
    """How many times larger std is than at the training rows: the median over rows, mean over targets."""
    ratios = [
        float(np.median(now.std) / np.median(old)) for now, old in zip(targets, before, strict=True) if old is not None
    ]
    return float(np.mean(ratios)) if ratios else None


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
